import type { MarkedText } from '../payload/search-data.ts';

export function MarkedTextParts({ text }: { text: MarkedText }) {
  // Every second part is marked, so the index identifies a part.
  // biome-ignore lint/suspicious/noArrayIndexKey: as above
  return text.map((part, at) => (at % 2 === 0 ? part : <mark key={`${at} ${part}`}>{part}</mark>));
}
