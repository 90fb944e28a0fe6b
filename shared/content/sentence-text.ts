import type { RichText } from './rich-text.ts';

/** @returns the text of inline elements on one line, normalised as by the form check (`form-schema.ts`). */
export function sentenceText(nodes: RichText): string {
  return wordsOf(nodes).replace(/\s+/g, ' ').trim().normalize('NFC');
}

/** @returns the texts of all nodes, without a space between blocks. */
export function wordsOf(nodes: RichText): string {
  return nodes.map(node => (typeof node === 'string' ? node : wordsOf(node[2]))).join('');
}
