export type Encoding = 'br' | 'gzip' | 'identity';

/** What visitors' browsers send is one of a few dozen texts: each is read once. */
const encodings = new Map<string, Encoding>();
const MAX_ENCODINGS = 1_000;

/**
 * @param accepted the header `Accept-Encoding`.
 * @returns the best encoding for a client, of those that stored answers have. RFC 9110, 12.5.3.
 */
export function encodingFor(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity';
  const known = encodings.get(accepted);
  if (known) return known;
  const encoding = negotiate(accepted);
  if (encodings.size < MAX_ENCODINGS) encodings.set(accepted, encoding);
  return encoding;
}

/** Of those that are taken equally the smallest is sent. */
function negotiate(accepted: string): Encoding {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map(text => text.trim());
    const weight = parameters.find(parameter => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [br, gzip] = [weightOf('br'), weightOf('gzip')];
  // Not named, it is taken, and after all that is.
  const identity = weights.get('identity') ?? 0;
  if (br > 0 && br >= gzip && br >= identity) return 'br';
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity';
}
