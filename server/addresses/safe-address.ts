import { canonicalForm } from '../../shared/routing/canonical-form.ts';
import { decodeUri, ENCODED_OCTET } from '../../shared/routing/decode-uri.ts';
import { withoutTrailingSlashes } from '../../shared/routing/trailing-slashes.ts';

/**
 * Accepts or refuses addresses from content: links, rich text, media, redirects. A refused address is null.
 * An accepted address is normalised (WHATWG URL Standard) and ASCII, so it fits into a header.
 */

/** The longest address, in UTF-16 units. Browsers, proxies and crawlers fail on longer addresses. */
const MAX_ADDRESS_LENGTH = 4_096;

/** A base for relative paths. RFC 2606 reserves `.invalid`, so no real host has this name. */
const SITE = 'http://site.invalid';

/**
 * Characters that hide the real target. Browsers delete CR, LF and TAB before they look for a protocol, and
 * read a backslash as a slash. Invisible marks, lone surrogates and unusual white space mislead readers.
 * `UNPRINTABLE` in `one-line.ts` is a smaller set, for the log.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]|(?! )\p{Zs}/u;

/** Encoded control characters and backslashes. They are dangerous to software that decodes the path again. */
const ENCODED_TRICK = /%(?:[01][0-9a-f]|7f|5c)/i;

/** Repeated slashes. File servers, such as Strapi's, read them as one, which gives a file many addresses. */
export const REPEATED_SLASHES = /\/{2,}/g;

function addressText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS_LENGTH || FORBIDDEN.test(value)) return null;
  return value.trim() || null;
}

/** Reads an external address, `//…` as https. Null for other protocols, a missing host, or credentials. */
function externalUrl(text: string): URL | null {
  const authority = /^(?:https?:)?\/\/([^/?#]+)/i.exec(text)?.[1];
  // Refuse a bare `@` as well: `https://@host` and `https://:@host` have empty credentials.
  if (authority === undefined || authority.includes('@')) return null;
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.hostname === '' || url.username !== '' || url.password !== '' ? null : url;
}

/** Resolves a path of the site: `/a/../b?c#d` becomes `/b?c#d`. Null for a path that may pass for a host. */
function sitePath(text: string): URL | null {
  if (!text.startsWith('/') || text.startsWith('//')) return null;
  const url = URL.parse(text, SITE);
  // `/..//host` and `/.//host` resolve to `//host`, which is another site in a link or a Location header.
  if (url === null || url.origin !== SITE || url.pathname.startsWith('//')) return null;
  if (ENCODED_TRICK.test(url.pathname) || /^\/%2f/i.test(url.pathname)) return null;
  // Refuse a path that cannot be decoded, because the server would answer it with 400.
  return decodeUri(url.pathname) === null ? null : url;
}

function pathQueryHash(url: URL): string {
  return url.pathname + url.search + url.hash;
}

/** Checks a `mailto:` address (RFC 6068). A line break outside the body would add a header to the message. */
function mailAddress(text: string): string | null {
  const rest = text.slice('mailto:'.length).replaceAll(' ', '%20');
  if (rest === '' || /["<>`]/.test(rest)) return null;
  const withoutBodies = rest.replace(/([?&]body=)[^&]*/gi, '$1');
  return /%(?:[01][0-9a-f]|7f)/i.test(withoutBodies) ? null : (URL.parse(`mailto:${rest}`)?.href ?? null);
}

/** Checks a `tel:` address (RFC 3966) and removes the spaces that people write into telephone numbers. */
function telephoneNumber(text: string): string | null {
  const number = text.slice('tel:'.length).replaceAll(' ', '');
  return /^\+?[0-9a-z*().,;=-]+$/i.test(number) ? `tel:${number}` : null;
}

/**
 * Accepts the address of a link: `http:` and `https:` without credentials, `//…` (as https), `mailto:`,
 * `tel:`, `/…`, `?query` and `#hash`. Null for relative paths and other protocols.
 */
export function safeHref(value: unknown): string | null {
  const text = addressText(value);
  if (text === null) return null;
  if (text.startsWith('#') || text.startsWith('?')) {
    const url = URL.parse(text, SITE);
    // The URL API returns '' for `#` (the top of the page) and `?` (the page without its query).
    return url === null ? null : url.search + url.hash || text;
  }
  if (/^mailto:/i.test(text)) return mailAddress(text);
  if (/^tel:/i.test(text)) return telephoneNumber(text);
  const path = sitePath(text);
  return path === null ? (externalUrl(text)?.href ?? null) : pathQueryHash(path);
}

export function safeSitePath(value: unknown): string | null {
  const text = addressText(value);
  const path = text === null ? null : sitePath(text);
  return path && pathQueryHash(path);
}

/** The longest slug, in UTF-16 units, so that the rest of the address has room. */
const MAX_SLUG_LENGTH = 200;

/**
 * Normalises a slug, which is one segment of a path. Null for `.`, `..`, and a text with slashes, control or
 * invisible characters or lone surrogates. No request can ask for these.
 */
export function safeSlug(value: unknown): string | null {
  const text = addressText(value);
  if (text === null || text.length > MAX_SLUG_LENGTH || text.includes('/')) return null;
  return text === '.' || text === '..' ? null : canonicalForm(text);
}

/** Accepts a path of the site or an external address. Keeps the `/**` of a wildcard row. */
export function safeRedirectTarget(value: unknown): { to: string; external: boolean } | null {
  const text = addressText(value);
  if (text === null) return null;
  const path = sitePath(text);
  if (path !== null) return { to: pathQueryHash(path), external: false };
  const url = externalUrl(text);
  return url === null ? null : { to: url.href, external: true };
}

/** Whether an address runs code or opens a local file, even in disguise. Checks data such as JSON-LD. */
export function isExecutableAddress(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const bare = value.slice(0, MAX_ADDRESS_LENGTH).replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, '');
  return /^(?:javascript|vbscript|data|blob|filesystem|file|view-source):/i.test(bare);
}

export type MediaPolicy = ReturnType<typeof createMediaPolicy>;

/** Replaces the embedded backend's address in stored results, because its port changes at each start. */
export const EMBEDDED_ADDRESS = 'http://embedded.invalid';

export interface MediaPolicyOptions {
  /** The configured address, perhaps with a path such as `/cms`, or EMBEDDED_ADDRESS. */
  readonly contentBaseUrl: string;
  /** The address at which editors open the backend. They copy addresses of files from its panel. */
  readonly contentPublicUrl?: string | null;
  readonly mediaOrigins: readonly string[];
}

/**
 * Decides which media a page may show. Media of the backend are served under `/uploads/`, so pages never
 * contain the backend's address. Other origins must be listed in `mediaOrigins`.
 */
export function createMediaPolicy(options: MediaPolicyOptions) {
  const backends = [options.contentBaseUrl, options.contentPublicUrl ?? ''].flatMap(
    address => URL.parse(address) ?? [],
  );
  const origins = new Set(options.mediaOrigins.map(origin => URL.parse(origin)?.origin ?? origin));

  /** @returns the path without its query. The hash of an SVG file stays, as it names a picture inside. */
  function uploadPath(text: string): string | null {
    const url = sitePath(text);
    const path = url?.pathname.replace(REPEATED_SLASHES, '/');
    if (!path?.startsWith('/uploads/') || path.length === '/uploads/'.length) return null;
    // Refuse encoded slashes and dots, because `serve-media.ts` decodes the path and could leave the folder.
    // It also answers 400 to a path that is encoded twice.
    if (/%2[ef]/i.test(path) || ENCODED_OCTET.test(decodeUri(path) ?? '')) return null;
    return path.toLowerCase().endsWith('.svg') ? path + url?.hash : path;
  }

  function mediaAddress(value: unknown): string | null {
    const text = addressText(value);
    if (text === null) return null;
    // Refuse dot segments instead of resolving them: only an attacker writes `/uploads/../x`.
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
