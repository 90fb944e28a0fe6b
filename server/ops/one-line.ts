import { UNPRINTABLE } from './unprintable.ts';

/** @returns a text from outside on one line, fit for the log. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').replace(/ {2,}/g, ' ').trim();
}
