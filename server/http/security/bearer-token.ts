import { hash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time. */
export function isSecret(text: string, secret: string): boolean {
  const digest = (value: string) => hash('sha256', value, 'buffer');
  return timingSafeEqual(digest(text), digest(secret));
}

/** Whether `Authorization` contains the secret (RFC 6750). */
export function bearsSecret(authorization: string | undefined, secret: string): boolean {
  return isSecret(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '', secret);
}
