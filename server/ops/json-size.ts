import type { Steps } from './slices.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** One bit records each key by its digest. Keys may share a bit, so the count is too low for very many. */
const BITS = 1 << 20;
const STEP = 1 << 16;

/** Counts what is slow to parse: all values and, roughly, the different keys, which V8 stores once. */
export function* jsonSize(json: Uint8Array): Steps<{ values: number; keys: number }> {
  const seen = new Uint8Array(BITS >> 3);
  let values = 1;
  let keys = 0;
  let isInText = false;
  let digest = 0;
  for (let at = 0; at < json.length; at += 1) {
    if (at % STEP === STEP - 1) yield;
    const byte = json[at];
    if (isInText) {
      if (byte === QUOTE) isInText = false;
      else digest = Math.imul(digest ^ (byte ?? 0), 0x01000193);
      // Skip the character after a backslash, because an escaped quote ends no text.
      if (byte === BACKSLASH) at += 1;
    } else if (byte === QUOTE) {
      isInText = true;
      digest = 0x811c9dc5;
    } else if (byte === COMMA || byte === LIST || byte === OBJECT) {
      values += 1;
    } else if (byte === COLON) {
      const bit = (digest ^ (digest >>> 15)) & (BITS - 1);
      const mask = 1 << (bit & 7);
      const known = seen[bit >> 3] ?? 0;
      if ((known & mask) === 0) keys += 1;
      seen[bit >> 3] = known | mask;
    }
  }
  return { values, keys };
}

const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;
const COLON = 0x3a;
