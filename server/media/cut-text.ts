/** A character that must not stand before an ellipsis: a space, or punctuation. */
const LOOSE_END = /[\s\p{P}]$/u;

/**
 * Cuts a text where it is too long for its place.
 *
 * @param fits whether a text fits. A part of a text that fits does, too.
 * @returns the text itself, or as much of its beginning as fits with an ellipsis, in whole words; in whole characters where not even one word
 *   fits.
 */
export async function cutToFit(text: string, fits: (text: string) => Promise<boolean>): Promise<string> {
  if (await fits(text)) return text;
  for (const granularity of ['word', 'grapheme'] as const) {
    const ends = Array.from(
      new Intl.Segmenter(undefined, { granularity }).segment(text),
      ({ index }) => index,
    );
    const part = (count: number) => withEllipsis(text.slice(0, ends[count]));
    // All parts up to `most` fit, and none from `least` on.
    let [most, least] = [0, ends.length];
    while (least - most > 1) {
      const middle = Math.floor((most + least) / 2);
      if (await fits(part(middle))) most = middle;
      else least = middle;
    }
    if (most > 0) return part(most);
  }
  return '…';
}

function withEllipsis(text: string): string {
  let end = text;
  while (LOOSE_END.test(end)) end = end.slice(0, -1);
  return `${end}…`;
}
