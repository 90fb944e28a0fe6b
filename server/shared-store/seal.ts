import type { Secret } from '../config/config.ts';
import { isSecret } from '../http/security/bearer-token.ts';
import { keyedDigest } from '../http/security/signed-value.ts';

/** Proves that a process with SHARED_SECRET wrote a value (decision 101). */
export interface Seal {
  /** Adds a MAC before the value. `place` has no line ends. Equal values at a place get equal bytes. */
  seal(place: string, value: string | Buffer): Buffer;
  /** @returns the value; null if it was not sealed for this place. */
  open(place: string, sealed: string | Buffer | null): Buffer | null;
}

const MAC_LENGTH = 43;

/**
 * @param onRefused called with the place of each value without a valid MAC.
 * @param onFormer called for each value that a former secret has sealed.
 */
export function createSeal(
  secret: Secret | null,
  onRefused: (place: string) => void,
  onFormer?: () => void,
): Seal {
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
      const sealer = secret.findIndex(key => isSecret(mac, macOf(key, place, value)));
      if (sealer > 0) onFormer?.();
      if (sealer >= 0) return value;
      onRefused(place);
      return null;
    },
  };
}
