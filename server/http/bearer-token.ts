import { createHash, timingSafeEqual } from 'node:crypto';

/** @returns whether `Authorization` carries a secret as bearer token (RFC 6750). The time of the comparison does not depend on the token. */
export function bearsSecret(authorization: string | undefined, secret: string): boolean {
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(token), digest(secret));
}
