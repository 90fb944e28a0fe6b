import Negotiator from 'negotiator';
import { boundedMap } from '../../ops/bounded-map.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The encodings, the smallest result first. The first one wins among encodings of equal weight. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** The type declarations of negotiator lack `preferred`. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

/** Results by header, because every cache hit needs one. Browsers send a few dozen different headers. */
const negotiated = boundedMap<Encoding>(1_000);
const MAX_LENGTH = 512;

/** @returns the best encoding for a client (RFC 9110, 12.5.3); `identity` if it accepts none. */
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
