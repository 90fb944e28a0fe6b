/** Allowed tags. The server sanitises by these lists, and the browser renders no other tag. */

export const HEADING_TAGS = ['h2', 'h3', 'h4', 'h5', 'h6'];
// A split text is shorter in the bundle than a list of texts.
export const BLOCK_TAGS = (
  'p h2 h3 h4 h5 h6 ul ol li blockquote pre table caption thead tbody tfoot tr th td figure figcaption hr details ' +
  'summary dl dt dd aside video audio oembed'
).split(' ');
export const INLINE_TAGS =
  'a img br code em strong s u sub sup mark small abbr kbd del ins cite q input track'.split(' ');
export const VOID_TAGS: ReadonlySet<string> = new Set(['img', 'br', 'hr', 'input', 'track']);
/** The tones of a callout, in `data-tone` of `aside`. */
export const CALLOUT_TONES = ['note', 'tip', 'warning'] as const;
type CalloutTone = (typeof CALLOUT_TONES)[number];
/** Names of alerts that share the tone of another alert. */
const TONES: Readonly<Record<string, CalloutTone>> = { important: 'note', caution: 'warning' };

/** @returns the tone for a name that editors use; null for another word. */
export function toneOf(name: string): CalloutTone | null {
  const word = name.toLowerCase();
  return CALLOUT_TONES.find(tone => tone === word) ?? TONES[word] ?? null;
}
