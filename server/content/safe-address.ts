import { decodeUri } from '../../shared/routing/decode-uri.ts';

/**
 * The one place where an address that comes from content is accepted or refused: links, rich text, media, redirect
 * rows. Whatever is refused is null; nothing here ever throws. What is accepted is the normalised form of the WHATWG
 * URL Standard: ASCII only, so that it fits a header as it is, and the browser can read nothing else into it.
 */

/** Longer addresses are refused: no browser, proxy or crawler handles them reliably. In UTF-16 units. */
const MAX_ADDRESS_LENGTH = 4_096;

/** Site paths are resolved against this. RFC 2606 keeps `.invalid` free, so no content can mean it. */
const SITE = 'http://site.invalid';

/**
 * Never part of an honest address, and the material of the usual tricks: control characters (CR, LF and TAB among them:
 * browsers delete the last three before they look for a protocol), invisible and bidirectional marks, half surrogates,
 * white space other than a plain space, and the backslash, which browsers read as a slash. Wider than UNPRINTABLE of the log,
 * because an address must not hide anything, either.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]|(?! )\p{Zs}/u;

/** Encoded control characters and the encoded backslash: harmless until somebody decodes the path once more. */
const ENCODED_TRICK = /%(?:[01][0-9a-f]|7f|5c)/i;

/** The trimmed text of a value that may be an address, else null. */
function addressText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS_LENGTH || FORBIDDEN.test(value)) return null;
  return value.trim() || null;
}

/** `http://…`, `https://…`, or `//…` read as https. Null with credentials, without a host, or for another protocol. */
function externalUrl(text: string): URL | null {
  const authority = /^(?:https?:)?\/\/([^/?#]+)/i.exec(text)?.[1];
  // An `@` is refused by itself too: `https://@host` and `https://:@host` carry empty credentials.
  if (authority === undefined || authority.includes('@')) return null;
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.hostname === '' || url.username !== '' || url.password !== '' ? null : url;
}

/** A path on this site, resolved: `/a/../b?c#d` is `/b?c#d`. Null where it could be taken for a host, or for no path. */
function sitePath(text: string): URL | null {
  if (!text.startsWith('/') || text.startsWith('//')) return null;
  const url = URL.parse(text, SITE);
  // `/..//host` and `/.//host` resolve to `//host`: another site, were it written into a link or a Location header.
  if (url === null || url.origin !== SITE || url.pathname.startsWith('//')) return null;
  if (ENCODED_TRICK.test(url.pathname) || /^\/%2f/i.test(url.pathname)) return null;
  // The server answers 400 to a path that cannot be decoded.
  return decodeUri(url.pathname) === null ? null : url;
}

function pathQueryHash(url: URL): string {
  return url.pathname + url.search + url.hash;
}

/** RFC 6068. A line break may be part of the body alone; anywhere else it would add a header to the message. */
function mailAddress(text: string): string | null {
  const rest = text.slice('mailto:'.length).replaceAll(' ', '%20');
  if (rest === '' || /["<>`]/.test(rest)) return null;
  const withoutBodies = rest.replace(/([?&]body=)[^&]*/gi, '$1');
  return /%(?:[01][0-9a-f]|7f)/i.test(withoutBodies) ? null : (URL.parse(`mailto:${rest}`)?.href ?? null);
}

/** RFC 3966, with the spaces people write into telephone numbers taken out. */
function telephoneNumber(text: string): string | null {
  const number = text.slice('tel:'.length).replaceAll(' ', '');
  return /^\+?[0-9a-z*().,;=-]+$/i.test(number) ? `tel:${number}` : null;
}

/**
 * The address of a link.
 *
 * Accepted: absolute `http:` and `https:` addresses without credentials, `//host…` (becomes `https://host…`), `mailto:`,
 * `tel:`, paths of this site (`/…`), `?query` and `#hash`. Everything else is null, relative words (`about`) and other
 * protocols alike.
 */
export function safeHref(value: unknown): string | null {
  const text = addressText(value);
  if (text === null) return null;
  if (text.startsWith('#') || text.startsWith('?')) {
    const url = URL.parse(text, SITE);
    // The URL API shows an empty hash or query as ''. Both have a meaning: top of the page, this page unfiltered.
    return url === null ? null : url.search + url.hash || text;
  }
  if (/^mailto:/i.test(text)) return mailAddress(text);
  if (/^tel:/i.test(text)) return telephoneNumber(text);
  const path = sitePath(text);
  return path === null ? (externalUrl(text)?.href ?? null) : pathQueryHash(path);
}

/** Longer slugs would not leave room for the rest of an address. In UTF-16 units. */
const MAX_SLUG_LENGTH = 200;

/**
 * The slug of an entry, as it is: one segment of a path of this site. Null for what no request could ask for: slashes,
 * dots alone, control and invisible characters, half surrogates.
 */
export function safeSlug(value: unknown): string | null {
  const text = addressText(value);
  if (text === null || text.length > MAX_SLUG_LENGTH || text.includes('/')) return null;
  return text === '.' || text === '..' ? null : text;
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
 * Whether a text is an address that runs something or opens a document of its own, however it is disguised. For free data
 * such as JSON-LD, in which any other text may stand.
 */
export function isExecutableAddress(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const bare = value.slice(0, MAX_ADDRESS_LENGTH).replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, '');
  return /^(?:javascript|vbscript|data|blob|filesystem|file|view-source):/i.test(bare);
}

/** Decides which pictures and files content may show. */
export interface MediaPolicy {
  /** The address to write into a page, or null where content has to do without. */
  mediaAddress(value: unknown): string | null;
}

/**
 * Media of the content backend are served by this site under `/uploads/`, so that no page holds the backend's address;
 * pictures elsewhere need their origin on the list.
 *
 * @param options.contentBaseUrl the backend's address, as in the configuration (a path in it, `/cms`, is understood)
 * @param options.mediaOrigins exact origins, `https://cdn.example`
 */
export function createMediaPolicy(options: {
  contentBaseUrl: string;
  mediaOrigins: readonly string[];
}): MediaPolicy {
  const backend = URL.parse(options.contentBaseUrl);
  const backendPath = backend?.pathname.replace(/\/+$/, '') ?? '';
  const origins = new Set(options.mediaOrigins.map(origin => URL.parse(origin)?.origin ?? origin));

  /** `/uploads/a.png?width=3` is `/uploads/a.png`: the query is the backend's own affair. */
  function uploadPath(pathname: string): string | null {
    const path = sitePath(pathname)?.pathname ?? null;
    // The media step decodes the name once: an encoded slash or dot must not change its folder then.
    return path?.startsWith('/uploads/') && path.length > '/uploads/'.length && !/%2[ef]/i.test(path)
      ? path
      : null;
  }

  function mediaAddress(value: unknown): string | null {
    const text = addressText(value);
    if (text === null) return null;
    // Dot segments are refused, not resolved: `/uploads/../x` is no address anybody writes in good faith.
    if (/(?:^|\/)(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(text)) return null;

    if (text.startsWith('/uploads/')) return uploadPath(text);
    if (text.startsWith('uploads/')) return uploadPath(`/${text}`);
    const path = sitePath(text);
    if (path !== null) return pathQueryHash(path);

    const url = externalUrl(text);
    if (url === null) return null;
    if (url.origin === backend?.origin) {
      const upload =
        (url.pathname.startsWith(`${backendPath}/`)
          ? uploadPath(url.pathname.slice(backendPath.length))
          : null) ?? uploadPath(url.pathname);
      if (upload !== null) return upload;
    }
    return origins.has(url.origin) ? url.href : null;
  }

  return { mediaAddress };
}
