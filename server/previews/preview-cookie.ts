import type { Secret } from '../config/config.ts';
import { createSigner } from '../http/security/signed-value.ts';

/** `published`: for comparison in the CMS's frame. `past`: what visitors saw at a past time. */
export type PreviewStatus = 'draft' | 'published' | 'past';

export interface PreviewView {
  readonly status: PreviewStatus;
  /** The moment, in ms since the epoch; null for all entries, whatever their dates. */
  readonly at: number | null;
}

/** The name. Browsers accept this prefix only over HTTPS or from this machine (RFC 6265bis, 4.1.3.2). */
const NAME = '__Host-preview';
const FIRST = /(?:^|;)\s*__Host-preview=([^;\s]*)/;
const VIEW = /^(draft|published|past)(?:@(\d{1,15}))?$/;
const LIFE_SECONDS = 3_600;
/** `Partitioned` limits the cookie to the CMS's frame, where it is third-party (CHIPS). */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned';

export type PreviewCookie = ReturnType<typeof createPreviewCookie>;

function isStatus(status: string | undefined): status is PreviewStatus {
  return status === 'draft' || status === 'published' || status === 'past';
}

/**
 * Signs preview cookies. The signature is enough, so every process with the secret accepts it.
 * @param now a clock shared by all processes of the site, in ms.
 */
export function createPreviewCookie(secret: Secret, now: () => number = Date.now, onFormer?: () => void) {
  const signer = createSigner(secret, 'preview', now, onFormer);

  function viewOf(cookie: string): PreviewView | null {
    const { value = '', isExpired } = signer.read(cookie) ?? {};
    const [, status, at] = VIEW.exec(value) ?? [];
    if (!isStatus(status) || isExpired !== false) return null;
    return { status, at: at === undefined ? null : Number(at) };
  }

  return {
    /** @returns the value of `Set-Cookie`. */
    begin({ status, at }: PreviewView): string {
      const value = signer.sign(at === null ? status : `${status}@${at}`, LIFE_SECONDS);
      return `${NAME}=${value}; Max-Age=${LIFE_SECONDS}; ${ATTRIBUTES}`;
    },
    end: `${NAME}=; Max-Age=0; ${ATTRIBUTES}`,
    /** @param cookies the header `Cookie`. @returns null without a valid cookie. */
    read(cookies: string | undefined): PreviewView | null {
      // Return early, because this runs before every page and most visitors have no such cookie.
      if (!cookies?.includes(NAME)) return null;
      // Read only the first cookie, so that each request costs one signature at most.
      const value = FIRST.exec(cookies)?.[1];
      return value === undefined ? null : viewOf(value);
    },
  };
}
