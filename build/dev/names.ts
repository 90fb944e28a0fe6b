// The names that both sides of `npm run dev` know.

/** The base of Vite's addresses. All others are the site's. */
export const BASE = '/@dev/';
export const PAGE_SCRIPT = `${BASE}build/dev/page.ts`;
/** The nonce of the overlay's styles, which the policy of pages allows in development only. */
export const NONCE = 'dev';
/** The message to open pages that the content or the server has changed. */
export const CHANGED = 'site:changed';
