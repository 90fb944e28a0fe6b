import type { Secret } from '../config/config.ts';
import { createSigner } from '../http/security/signed-value.ts';

/** What editors see: drafts, or in the CMS's frame also published content, for comparison. */
export type PreviewStatus = 'draft' | 'published';

/** The name. Browsers accept this prefix only over HTTPS or from this machine (RFC 6265bis, 4.1.3.2). */
const NAME = '__Host-preview';
const FIRST = /(?:^|;)\s*__Host-preview=([^;\s]*)/;
const LIFE_SECONDS = 3_600;
/** `Partitioned` limits the cookie to the CMS's frame, where it is third-party (CHIPS). */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned';

/** Signs preview cookies. The signature is enough, so every process with the secret accepts it. */
export interface PreviewCookie {
  /** @returns the value of `Set-Cookie`. */
  begin(status: PreviewStatus): string;
  readonly end: string;
  /** @param cookies the header `Cookie`. @returns null without a valid cookie. */
  read(cookies: string | undefined): PreviewStatus | null;
}

/** @param now a clock shared by all processes of the site, in ms. */
export function createPreviewCookie(
  secret: Secret,
  now: () => number = Date.now,
  onFormer?: () => void,
): PreviewCookie {
  const signer = createSigner(secret, 'preview', now, onFormer);

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
      // Return early, because this runs before every page and most visitors have no such cookie.
      if (!cookies?.includes(NAME)) return null;
      // Read only the first cookie, so that each request costs one signature at most.
      const value = FIRST.exec(cookies)?.[1];
      return value === undefined ? null : statusOf(value);
    },
  };
}
