import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The values of a secret that are accepted: the current one, by which the site signs and shows itself, and during a rotation the former one.
 * A check tries them with `some`.
 */
export type Secret = readonly [current: string, ...former: string[]];

/** @returns whether a text is the secret. The time of the comparison does not depend on the text. */
export function isSecret(text: string, secret: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(text), digest(secret));
}

/** @returns whether `Authorization` carries a secret as bearer token (RFC 6750). */
export function bearsSecret(authorization: string | undefined, secret: string): boolean {
  return isSecret(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '', secret);
}
