import { UNPRINTABLE } from './unprintable.ts';

/** @returns a text from outside on one line, without characters that control a terminal. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').replace(/ {2,}/g, ' ').trim();
}
