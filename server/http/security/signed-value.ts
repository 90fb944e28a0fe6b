import { createHmac } from 'node:crypto';
import type { Secret } from '../../config/config.ts';
import { isSecret } from './bearer-token.ts';

export interface SignedValue {
  readonly value: string;
  readonly isExpired: boolean;
}

/** Signs values. The signature alone proves a value, so every process with the secret accepts it. */
export interface ValueSigner {
  /** @param value without dots. @returns `value.expires.signature`. */
  sign(value: string, lifeSeconds: number): string;
  /** @returns the value; null if this site has not signed it for this purpose. */
  read(signed: string): SignedValue | null;
}

/** Computes HMAC-SHA256 (RFC 2104). `text` begins with a purpose, so a digest has only one. */
export function keyedDigest(key: string, text: string, bytes: Buffer = Buffer.of()): string {
  return createHmac('sha256', key).update(text).update(bytes).digest('base64url');
}

/**
 * Accepts signatures of former secrets too.
 * @param now a clock shared by all processes, in ms.
 * @param onFormer receives each valid value that a former secret has signed.
 */
export function createSigner(
  secret: Secret,
  purpose: string,
  now: () => number = Date.now,
  onFormer: () => void = () => {},
): ValueSigner {
  const signatureOf = (key: string, value: string, expires: string) =>
    keyedDigest(key, `${purpose} ${value} ${expires}`);
  return {
    sign(value, lifeSeconds) {
      const expires = String(Math.floor(now() / 1_000) + lifeSeconds);
      return `${value}.${expires}.${signatureOf(secret[0], value, expires)}`;
    },
    read(signed) {
      const [value = '', expires = '', signature = '', ...rest] = signed.split('.', 4);
      const signer = secret.findIndex(key => isSecret(signature, signatureOf(key, value, expires)));
      if (rest.length > 0 || signer < 0) return null;
      const isExpired = !(now() < Number(expires) * 1_000);
      if (signer > 0 && !isExpired) onFormer();
      return { value, isExpired };
    },
  };
}
