import type { RichText } from './rich-text.ts';

/** @returns the text of inline elements on one line, as the check of a form leaves it (`form-schema.ts`). */
export function sentenceText(nodes: RichText): string {
  return textOf(nodes).replace(/\s+/g, ' ').trim().normalize('NFC');
}

function textOf(nodes: RichText): string {
  return nodes.map(node => (typeof node === 'string' ? node : textOf(node[2]))).join('');
}
