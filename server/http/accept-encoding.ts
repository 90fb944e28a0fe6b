import Negotiator from 'negotiator';
import { boundedMap } from '../ops/bounded-map.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The encodings of stored answers, smallest first: among encodings of equal weight the first one is sent. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** The part of negotiator that is used here. Its type declarations lack `preferred`. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

/** The results by the text of the header: browsers send a few dozen different ones, and every cache hit needs a result. */
const negotiated = boundedMap<Encoding>(1_000);
/** Longer headers are not remembered. */
const MAX_LENGTH = 512;

/**
 * @param header the value of `Accept-Encoding`.
 * @returns the best encoding for the client (RFC 9110, 12.5.3); `identity` for a client that accepts none.
 */
export function encodingFor(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  const known = negotiated.get(header);
  if (known) return known;
  const encoding = negotiate(header);
  if (header.length <= MAX_LENGTH) negotiated.set(header, encoding);
  return encoding;
}

function negotiate(header: string): Encoding {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const chosen = negotiator.encoding(ENCODINGS, { preferred: ENCODINGS });
  return ENCODINGS.find(encoding => encoding === chosen) ?? 'identity';
}
