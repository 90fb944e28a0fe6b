import type { Secret } from '../config/config.ts';
import { createSigner } from '../http/security/signed-value.ts';

/** Drafts, or in a frame also the published content, for comparison. */
export type PreviewStatus = 'draft' | 'published';

/** Browsers accept the prefix only over HTTPS or from this machine (RFC 6265bis, 4.1.3.2). */
const NAME = '__Host-preview';
const FIRST = /(?:^|;)\s*__Host-preview=([^;\s]*)/;
const LIFE_SECONDS = 3_600;
/** In the CMS's frame the cookie is a third party's: `Partitioned` keeps it to that frame (CHIPS). */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned';

/** The signature alone proves the cookie, so every process with the secret accepts it. */
export interface PreviewCookie {
  /** The value of `Set-Cookie`. */
  begin(status: PreviewStatus): string;
  readonly end: string;
  /** @param cookies the header `Cookie`. @returns null without a valid cookie. */
  read(cookies: string | undefined): PreviewStatus | null;
}

/** @param now the clock that all processes of the site share, in ms. */
export function createPreviewCookie(secret: Secret, now: () => number = Date.now): PreviewCookie {
  const signer = createSigner(secret, 'preview', now);

  function statusOf(cookie: string): PreviewStatus | null {
    const { value, isExpired } = signer.read(cookie) ?? {};
    return (value === 'draft' || value === 'published') && isExpired === false ? value : null;
  }

  return {
    begin(status) {
      const value = signer.sign(status, LIFE_SECONDS);
      return `${NAME}=${value}; Max-Age=${LIFE_SECONDS}; ${ATTRIBUTES}`;
    },
    end: `${NAME}=; Max-Age=0; ${ATTRIBUTES}`,
    read(cookies) {
      // Most visitors have no such cookie, and this runs before every page.
      if (!cookies?.includes(NAME)) return null;
      // The first cookie counts, so a request costs one signature however many it sends.
      const value = FIRST.exec(cookies)?.[1];
      return value === undefined ? null : statusOf(value);
    },
  };
}
