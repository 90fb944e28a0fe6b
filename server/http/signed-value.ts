import { createHmac } from 'node:crypto';
import { isSecret, type Secret } from './bearer-token.ts';

/** A value that this site has signed. */
export interface SignedValue {
  readonly value: string;
  /** Whether its time is over. */
  readonly isExpired: boolean;
}

/** Signs values for one purpose. The signature is all that proves a value, so every process with the secret takes it. */
export interface ValueSigner {
  /** @param value without dots. @param lifeSeconds the time after which the value is expired. @returns `value.expires.signature`. */
  sign(value: string, lifeSeconds: number): string;
  /** @returns the value in a signed text; null if this site has not signed the text for this purpose. */
  read(signed: string): SignedValue | null;
}

/** @returns the HMAC-SHA256 (RFC 2104) of a text and the bytes behind it. The text begins with its purpose, so that a digest of one purpose is none of another. */
export function keyedDigest(key: string, text: string, bytes: Buffer = Buffer.of()): string {
  return createHmac('sha256', key).update(text).update(bytes).digest('base64url');
}

/**
 * Signs by `keyedDigest`, and reads what the former secret has signed, too. The signature covers the purpose, so that a value of one purpose is none of another.
 *
 * @param now the clock that all processes of the site share, in ms.
 */
export function createSigner(secret: Secret, purpose: string, now: () => number = Date.now): ValueSigner {
  const signatureOf = (key: string, value: string, expires: string) =>
    keyedDigest(key, `${purpose} ${value} ${expires}`);
  return {
    sign(value, lifeSeconds) {
      const expires = String(Math.floor(now() / 1_000) + lifeSeconds);
      return `${value}.${expires}.${signatureOf(secret[0], value, expires)}`;
    },
    read(signed) {
      const [value = '', expires = '', signature = '', ...rest] = signed.split('.', 4);
      const isSigned = secret.some(key => isSecret(signature, signatureOf(key, value, expires)));
      if (rest.length > 0 || !isSigned) return null;
      return { value, isExpired: !(now() < Number(expires) * 1_000) };
    },
  };
}
