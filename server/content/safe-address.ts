import { canonicalForm } from '../../shared/routing/canonical-form.ts';
import { decodeUri, ENCODED_OCTET } from '../../shared/routing/decode-uri.ts';
import { withoutTrailingSlashes } from '../../shared/routing/trailing-slashes.ts';

/**
 * The one place where addresses from content are accepted or refused: links, rich text, media, redirect rows. A refused address is
 * null, and nothing here throws. An accepted address is normalised by the WHATWG URL Standard. It is ASCII only, so it fits into a header,
 * and every browser reads it alike.
 */

/** Longest address, in UTF-16 units. Browsers, proxies and crawlers do not handle longer ones reliably. */
const MAX_ADDRESS_LENGTH = 4_096;

/** The base for resolving site paths. RFC 2606 reserves `.invalid`, so no real address has this host. */
const SITE = 'http://site.invalid';

/**
 * Characters that hide the real target of an address: control characters (browsers delete CR, LF and TAB before they look for a
 * protocol), invisible and bidirectional marks, lone surrogates, white space other than a plain space, and the backslash, which browsers
 * read as a slash. UNPRINTABLE of the log is narrower.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]|(?! )\p{Zs}/u;

/** Encoded control characters and the encoded backslash: dangerous to software that decodes the path once more. */
const ENCODED_TRICK = /%(?:[01][0-9a-f]|7f|5c)/i;

/** File servers, Strapi's as well, read several slashes as one: each number of slashes would be another address of the same file. */
export const REPEATED_SLASHES = /\/{2,}/g;

/** The trimmed text of a value that may be an address, else null. */
function addressText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS_LENGTH || FORBIDDEN.test(value)) return null;
  return value.trim() || null;
}

/** An `http:` or `https:` address; `//…` is read as https. Null for another protocol, an absent host, or credentials. */
function externalUrl(text: string): URL | null {
  const authority = /^(?:https?:)?\/\/([^/?#]+)/i.exec(text)?.[1];
  // An `@` is refused by itself too: `https://@host` and `https://:@host` carry empty credentials.
  if (authority === undefined || authority.includes('@')) return null;
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.hostname === '' || url.username !== '' || url.password !== '' ? null : url;
}

/** A path on this site, resolved: `/a/../b?c#d` is `/b?c#d`. Null for other texts and for a path that could be read as a host. */
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

/** A `mailto:` address (RFC 6068). Only its body may have line breaks: elsewhere they would add a header to the message. */
function mailAddress(text: string): string | null {
  const rest = text.slice('mailto:'.length).replaceAll(' ', '%20');
  if (rest === '' || /["<>`]/.test(rest)) return null;
  const withoutBodies = rest.replace(/([?&]body=)[^&]*/gi, '$1');
  return /%(?:[01][0-9a-f]|7f)/i.test(withoutBodies) ? null : (URL.parse(`mailto:${rest}`)?.href ?? null);
}

/** A `tel:` address (RFC 3966), without the spaces that people write into telephone numbers. */
function telephoneNumber(text: string): string | null {
  const number = text.slice('tel:'.length).replaceAll(' ', '');
  return /^\+?[0-9a-z*().,;=-]+$/i.test(number) ? `tel:${number}` : null;
}

/**
 * The address of a link.
 *
 * Accepted: absolute `http:` and `https:` addresses without credentials, `//host…` (becomes `https://host…`), `mailto:`,
 * `tel:`, paths of this site (`/…`), `?query` and `#hash`. Relative paths (`about`) and other protocols are null.
 */
export function safeHref(value: unknown): string | null {
  const text = addressText(value);
  if (text === null) return null;
  if (text.startsWith('#') || text.startsWith('?')) {
    const url = URL.parse(text, SITE);
    // The URL API gives '' for `#` (the top of the page) and `?` (the page without its query), which are valid links.
    return url === null ? null : url.search + url.hash || text;
  }
  if (/^mailto:/i.test(text)) return mailAddress(text);
  if (/^tel:/i.test(text)) return telephoneNumber(text);
  const path = sitePath(text);
  return path === null ? (externalUrl(text)?.href ?? null) : pathQueryHash(path);
}

/** A path of this site, with its query and hash; null for an address that any browser or proxy might read as another site's. */
export function safeSitePath(value: unknown): string | null {
  const text = addressText(value);
  const path = text === null ? null : sitePath(text);
  return path && pathQueryHash(path);
}

/** Longest slug, in UTF-16 units: the address needs room for its other parts. */
const MAX_SLUG_LENGTH = 200;

/**
 * The slug of an entry, trimmed and in its canonical form: one segment of a path of this site. Null for a text that no request could ask
 * for: with slashes, control or invisible characters or lone surrogates, and `.` and `..`.
 */
export function safeSlug(value: unknown): string | null {
  const text = addressText(value);
  if (text === null || text.length > MAX_SLUG_LENGTH || text.includes('/')) return null;
  return text === '.' || text === '..' ? null : canonicalForm(text);
}

/**
 * The target of a redirect row: a path of this site, or an absolute `http:`, `https:` or `//` address (external).
 * A trailing `/**` of a wildcard row is kept.
 */
export function safeRedirectTarget(value: unknown): { to: string; external: boolean } | null {
  const text = addressText(value);
  if (text === null) return null;
  const path = sitePath(text);
  if (path !== null) return { to: pathQueryHash(path), external: false };
  const url = externalUrl(text);
  return url === null ? null : { to: url.href, external: true };
}

/**
 * Whether a text is an address that runs code or opens a local document, however it is disguised. For data with free texts, such as
 * JSON-LD.
 */
export function isExecutableAddress(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const bare = value.slice(0, MAX_ADDRESS_LENGTH).replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, '');
  return /^(?:javascript|vbscript|data|blob|filesystem|file|view-source):/i.test(bare);
}

/** The policy for the pictures and files that content may show. */
export interface MediaPolicy {
  /** The address for the page, or null for a medium that may not be shown. */
  mediaAddress(value: unknown): string | null;
}

/**
 * Stands for the address of the embedded backend, whose port differs with each start, so that no text can name it. What is made of a text then
 * is the same in each process.
 */
export const EMBEDDED_ADDRESS = 'http://embedded.invalid';

export interface MediaPolicyOptions {
  /** The backend's address as configured. It may have a path, such as `/cms`. EMBEDDED_ADDRESS for the embedded backend. */
  readonly contentBaseUrl: string;
  /** The address under which browsers reach the backend, if it is another one. Editors copy addresses of files from there. */
  readonly contentPublicUrl?: string | null;
  /** Exact origins, such as `https://cdn.example`. */
  readonly mediaOrigins: readonly string[];
}

/**
 * Creates the media policy. This site serves the backend's media under `/uploads/`, so no page holds the backend's address. Media of
 * other origins are allowed when `mediaOrigins` lists the origin.
 *
 */
export function createMediaPolicy(options: MediaPolicyOptions): MediaPolicy {
  const backends = [options.contentBaseUrl, options.contentPublicUrl ?? ''].flatMap(
    address => URL.parse(address) ?? [],
  );
  const origins = new Set(options.mediaOrigins.map(origin => URL.parse(origin)?.origin ?? origin));

  /**
   * The path of an upload in its one spelling, without its query, which only the backend understands. The hash of an SVG file names
   * one of the pictures in it.
   */
  function uploadPath(text: string): string | null {
    const url = sitePath(text);
    const path = url?.pathname.replace(REPEATED_SLASHES, '/');
    if (!path?.startsWith('/uploads/') || path.length === '/uploads/'.length) return null;
    // `serve-media.ts` decodes the path once. An encoded slash or dot could then lead to another folder, and it refuses a path that is encoded twice.
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
