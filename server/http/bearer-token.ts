import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether a request carries a secret as its bearer token (RFC 6750), compared in a time that says nothing of how much
 * of it is right.
 */
export function bearsSecret(authorization: string | undefined, secret: string): boolean {
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(token), digest(secret));
}
