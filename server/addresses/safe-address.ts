import { canonicalForm } from '../../shared/routing/canonical-form.ts';
import { decodeUri, ENCODED_OCTET } from '../../shared/routing/decode-uri.ts';
import { withoutTrailingSlashes } from '../../shared/routing/trailing-slashes.ts';

/**
 * Accepts or refuses every address from content: links, rich text, media, redirect rows. A refused address is
 * null; nothing here throws. An accepted one is normalised by the WHATWG URL Standard and ASCII only, so it
 * fits into a header.
 */

/** In UTF-16 units. Browsers, proxies and crawlers do not handle longer ones reliably. */
const MAX_ADDRESS_LENGTH = 4_096;

/** RFC 2606 reserves `.invalid`, so no real address has this host. */
const SITE = 'http://site.invalid';

/**
 * Characters that hide the real target. Browsers delete CR, LF and TAB before they look for a protocol, and
 * read a backslash as a slash. Invisible and bidirectional marks, lone surrogates and unusual white space
 * mislead readers. UNPRINTABLE of the log is narrower.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]|(?! )\p{Zs}/u;

/** Encoded control characters and backslash: dangerous to software that decodes the path once more. */
const ENCODED_TRICK = /%(?:[01][0-9a-f]|7f|5c)/i;

/** File servers, Strapi's as well, read several slashes as one, which would give a file many addresses. */
export const REPEATED_SLASHES = /\/{2,}/g;

function addressText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS_LENGTH || FORBIDDEN.test(value)) return null;
  return value.trim() || null;
}

/** Reads `//…` as https. Null for another protocol, an absent host, or credentials. */
function externalUrl(text: string): URL | null {
  const authority = /^(?:https?:)?\/\/([^/?#]+)/i.exec(text)?.[1];
  // An `@` alone is refused, too: `https://@host` and `https://:@host` carry empty credentials.
  if (authority === undefined || authority.includes('@')) return null;
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.hostname === '' || url.username !== '' || url.password !== '' ? null : url;
}

/** `/a/../b?c#d` becomes `/b?c#d`. Null for other texts and for a path that could be read as a host. */
function sitePath(text: string): URL | null {
  if (!text.startsWith('/') || text.startsWith('//')) return null;
  const url = URL.parse(text, SITE);
  // `/..//host` and `/.//host` resolve to `//host`, which in a link or a Location header is another site.
  if (url === null || url.origin !== SITE || url.pathname.startsWith('//')) return null;
  if (ENCODED_TRICK.test(url.pathname) || /^\/%2f/i.test(url.pathname)) return null;
  // The server answers 400 to a path that cannot be decoded.
  return decodeUri(url.pathname) === null ? null : url;
}

function pathQueryHash(url: URL): string {
  return url.pathname + url.search + url.hash;
}

/** RFC 6068. Only the body may have line breaks: elsewhere they would add a header to the message. */
function mailAddress(text: string): string | null {
  const rest = text.slice('mailto:'.length).replaceAll(' ', '%20');
  if (rest === '' || /["<>`]/.test(rest)) return null;
  const withoutBodies = rest.replace(/([?&]body=)[^&]*/gi, '$1');
  return /%(?:[01][0-9a-f]|7f)/i.test(withoutBodies) ? null : (URL.parse(`mailto:${rest}`)?.href ?? null);
}

/** RFC 3966, without the spaces that people write into telephone numbers. */
function telephoneNumber(text: string): string | null {
  const number = text.slice('tel:'.length).replaceAll(' ', '');
  return /^\+?[0-9a-z*().,;=-]+$/i.test(number) ? `tel:${number}` : null;
}

/**
 * The address of a link: `http:` and `https:` without credentials, `//host…` (as https), `mailto:`, `tel:`,
 * paths of this site (`/…`), `?query` and `#hash`. Null for relative paths and other protocols.
 */
export function safeHref(value: unknown): string | null {
  const text = addressText(value);
  if (text === null) return null;
  if (text.startsWith('#') || text.startsWith('?')) {
    const url = URL.parse(text, SITE);
    // The URL API gives '' for `#` (the top of the page) and `?` (the page without its query).
    return url === null ? null : url.search + url.hash || text;
  }
  if (/^mailto:/i.test(text)) return mailAddress(text);
  if (/^tel:/i.test(text)) return telephoneNumber(text);
  const path = sitePath(text);
  return path === null ? (externalUrl(text)?.href ?? null) : pathQueryHash(path);
}

/** Null for an address that any browser or proxy might read as another site's. */
export function safeSitePath(value: unknown): string | null {
  const text = addressText(value);
  const path = text === null ? null : sitePath(text);
  return path && pathQueryHash(path);
}

/** In UTF-16 units: the address needs room for its other parts. */
const MAX_SLUG_LENGTH = 200;

/**
 * One segment of a path, trimmed and in its canonical form. Null for a text that no request could ask for:
 * slashes, control or invisible characters, lone surrogates, `.` and `..`.
 */
export function safeSlug(value: unknown): string | null {
  const text = addressText(value);
  if (text === null || text.length > MAX_SLUG_LENGTH || text.includes('/')) return null;
  return text === '.' || text === '..' ? null : canonicalForm(text);
}

/** A path of this site, or an external address. Keeps the `/**` of a wildcard row. */
export function safeRedirectTarget(value: unknown): { to: string; external: boolean } | null {
  const text = addressText(value);
  if (text === null) return null;
  const path = sitePath(text);
  if (path !== null) return { to: pathQueryHash(path), external: false };
  const url = externalUrl(text);
  return url === null ? null : { to: url.href, external: true };
}

/** Whether an address, however disguised, runs code or opens a local document. For data such as JSON-LD. */
export function isExecutableAddress(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const bare = value.slice(0, MAX_ADDRESS_LENGTH).replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, '');
  return /^(?:javascript|vbscript|data|blob|filesystem|file|view-source):/i.test(bare);
}

export interface MediaPolicy {
  /** Null for a medium that may not be shown. */
  mediaAddress(value: unknown): string | null;
}

/** The port of the embedded backend differs with each start: this gives each process the same results. */
export const EMBEDDED_ADDRESS = 'http://embedded.invalid';

export interface MediaPolicyOptions {
  /** As configured, perhaps with a path such as `/cms`. EMBEDDED_ADDRESS for the embedded backend. */
  readonly contentBaseUrl: string;
  /** The address under which browsers reach the backend, from where editors copy addresses of files. */
  readonly contentPublicUrl?: string | null;
  /** Exact origins, such as `https://cdn.example`. */
  readonly mediaOrigins: readonly string[];
}

/**
 * This site serves the backend's media under `/uploads/`, so no page has the backend's address. Media of
 * other origins need a place in `mediaOrigins`.
 */
export function createMediaPolicy(options: MediaPolicyOptions): MediaPolicy {
  const backends = [options.contentBaseUrl, options.contentPublicUrl ?? ''].flatMap(
    address => URL.parse(address) ?? [],
  );
  const origins = new Set(options.mediaOrigins.map(origin => URL.parse(origin)?.origin ?? origin));

  /** Without a query. The hash of an SVG file names a picture in it. */
  function uploadPath(text: string): string | null {
    const url = sitePath(text);
    const path = url?.pathname.replace(REPEATED_SLASHES, '/');
    if (!path?.startsWith('/uploads/') || path.length === '/uploads/'.length) return null;
    // `serve-media.ts` decodes the path once. An encoded slash or dot could then lead to another folder, and
    // it refuses a path that is encoded twice.
    if (/%2[ef]/i.test(path) || ENCODED_OCTET.test(decodeUri(path) ?? '')) return null;
    return path.toLowerCase().endsWith('.svg') ? path + url?.hash : path;
  }

  function mediaAddress(value: unknown): string | null {
    const text = addressText(value);
    if (text === null) return null;
    // Dot segments are refused, not resolved: only an attacker writes `/uploads/../x`.
    if (/(?:^|\/)(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(text)) return null;

    if (text.startsWith('/uploads/')) return uploadPath(text);
    if (text.startsWith('uploads/')) return uploadPath(`/${text}`);
    const path = sitePath(text);
    if (path !== null) return pathQueryHash(path);

    const url = externalUrl(text);
    if (url === null) return null;
    for (const backend of backends.filter(({ origin }) => origin === url.origin)) {
      const path = withoutTrailingSlashes(backend.pathname);
      const upload =
        (url.pathname.startsWith(`${path}/`)
          ? uploadPath(url.pathname.slice(path.length) + url.hash)
          : null) ?? uploadPath(url.pathname + url.hash);
      if (upload !== null) return upload;
    }
    return origins.has(url.origin) ? url.href : null;
  }

  return { mediaAddress };
}
