import type { Secret } from './bearer-token.ts';
import { createSigner } from './signed-value.ts';

/** The content of a preview: drafts, or in a frame also the published content, for comparison. */
export type PreviewStatus = 'draft' | 'published';

/** Browsers accept a name that begins with `__Host-` only over HTTPS or from this machine, and only for the host that sets the cookie (RFC 6265bis, 4.1.3.2). */
const NAME = '__Host-preview';
/** Finds the first cookie of the name. */
const FIRST = /(?:^|;)\s*__Host-preview=([^;\s]*)/;
const LIFE_SECONDS = 3_600;
/** The CMS shows the preview in a frame of its own site, so the cookie is one of a third party: `Partitioned` keeps it to that frame (CHIPS). */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned';

/** The cookie that marks the browser of an editor. The signature is all that proves it, so every process with the secret takes it. */
export interface PreviewCookie {
  /** @returns the value of `Set-Cookie` that begins a preview. */
  begin(status: PreviewStatus): string;
  /** The value of `Set-Cookie` that ends a preview. */
  readonly end: string;
  /** @param cookies the header `Cookie`. @returns the content that the browser may see; null without a valid cookie. */
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
      // A browser has one cookie of the name. The first one counts, so that a request costs one signature however many it sends.
      const value = FIRST.exec(cookies)?.[1];
      return value === undefined ? null : statusOf(value);
    },
  };
}
