import { isSecret, type Secret } from '../http/bearer-token.ts';
import { keyedDigest } from '../http/signed-value.ts';

/** Proves that a value of the shared store was written by a process that has SHARED_SECRET (decision 101). Without one every value counts. */
export interface Seal {
  /**
   * @param place the key of the value, and whatever else it must not be moved away from. It has no line end.
   * @returns the value behind its MAC. Equal values of one place have equal bytes.
   */
  seal(place: string, value: string | Buffer): Buffer;
  /** @returns the value; null for one that was not sealed for this place, and for none. */
  open(place: string, sealed: string | Buffer | null): Buffer | null;
}

/** The length of an HMAC-SHA256 in base64url. */
const MAC_LENGTH = 43;

/** @param onRefused called with the place of each value that has no valid MAC. */
export function createSeal(secret: Secret | null, onRefused: (place: string) => void): Seal {
  const macOf = (key: string, place: string, value: Buffer) => keyedDigest(key, `shared ${place}\n`, value);
  return {
    seal(place, value) {
      const bytes = Buffer.from(value);
      return secret ? Buffer.concat([Buffer.from(macOf(secret[0], place, bytes)), bytes]) : bytes;
    },
    open(place, sealed) {
      if (sealed === null) return null;
      const bytes = Buffer.from(sealed);
      if (secret === null) return bytes;
      const mac = bytes.toString('latin1', 0, MAC_LENGTH);
      const value = bytes.subarray(MAC_LENGTH);
      if (secret.some(key => isSecret(mac, macOf(key, place, value)))) return value;
      onRefused(place);
      return null;
    },
  };
}
