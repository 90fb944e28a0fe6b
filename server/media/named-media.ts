import { boundedMap } from '../ops/bounded-map.ts';

/** Most addresses that are remembered. A picture beyond them is shown as it is, from its own origin. */
const MAX_NAMED = 20_000;

/**
 * The media of other origins that the content names. An origin may answer any address, such as one with another query, so a visitor could
 * have the site fetch and store files without end. Only addresses that an editor has written are fetched.
 */
export interface NamedMedia {
  /** Notes the addresses in decoded content. @param json the content as JSON. */
  note(json: string): void;
  has(address: string): boolean;
}

/** @param origins the origins besides the backend that content may show media of. */
export function createNamedMedia(origins: readonly string[]): NamedMedia {
  const named = boundedMap<true>(MAX_NAMED);

  function noteThoseOf(origin: string, json: string): void {
    const begin = `${origin}/`;
    for (let at = json.indexOf(begin); at !== -1; at = json.indexOf(begin, at + begin.length)) {
      let end = at + begin.length;
      while (end < json.length && isPartOfAddress(json.charCodeAt(end))) end += 1;
      named.set(json.slice(at, end), true);
    }
  }

  return {
    note(json) {
      for (const origin of origins) noteThoseOf(origin, json);
    },
    has: address => named.has(address),
  };
}

/** @returns whether a character may stand in an address that the media policy has normalised: printable ASCII, but for `"`, `<`, `>` and `\`. */
function isPartOfAddress(code: number): boolean {
  return code > 0x20 && code < 0x7f && code !== 0x22 && code !== 0x3c && code !== 0x3e && code !== 0x5c;
}
