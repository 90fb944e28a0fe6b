import { createHmac } from 'node:crypto';
import type { Secret } from '../../config/config.ts';
import { isSecret } from './bearer-token.ts';

/** Computes HMAC-SHA256 (RFC 2104). `text` begins with a purpose, so a digest is valid for that one only. */
export function keyedDigest(key: string | Buffer, text: string, bytes: Buffer = Buffer.of()): string {
  return createHmac('sha256', key).update(text).update(bytes).digest('base64url');
}

export type ValueSigner = ReturnType<typeof createSigner>;

/**
 * Signs values. The signature alone proves a value, so every process with the secret accepts it. Accepts
 * signatures of former secrets too.
 * @param now a clock shared by all processes, in ms.
 * @param onFormer receives each valid value that a former secret has signed.
 */
export function createSigner(
  secret: Secret,
  purpose: string,
  now: () => number = Date.now,
  onFormer: () => void = () => {},
) {
  const signatureOf = (key: string, value: string, expires: string) =>
    keyedDigest(key, `${purpose} ${value} ${expires}`);
  return {
    /** @param value without dots. @returns `value.expires.signature`. */
    sign(value: string, lifeSeconds: number): string {
      const expires = String(Math.floor(now() / 1_000) + lifeSeconds);
      return `${value}.${expires}.${signatureOf(secret[0], value, expires)}`;
    },
    /** @returns the value; null if this site has not signed it for this purpose. */
    read(signed: string) {
      const [value = '', expires = '', signature = '', ...rest] = signed.split('.', 4);
      const signer = secret.findIndex(key => isSecret(signature, signatureOf(key, value, expires)));
      if (rest.length > 0 || signer < 0) return null;
      const isExpired = !(now() < Number(expires) * 1_000);
      if (signer > 0 && !isExpired) onFormer();
      return { value, isExpired };
    },
  };
}
