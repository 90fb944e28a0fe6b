import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Encoding, encodingFor } from '../http/accept-encoding.ts';
import { complete, type StoredPage, unpacked } from './stored-page.ts';

type Variant = Encoding | 'not-modified';

/** The heads of a page's answers, each put together once: names and values one after the other. */
const heads = new WeakMap<StoredPage, Partial<Record<Variant, readonly string[]>>>();

/**
 * Sends a stored page: in the encoding that the client takes, 304 where it has it already, the head alone for HEAD.
 * Conditions are those of RFC 9110, section 13; a range is ignored, as section 14.2 allows.
 *
 * @param common names and values that every answer of the site has, the same each time; the page's own win.
 * @param extra those of this answer: the request's id, `Age`, `Cache-Status`.
 * @returns the bytes of the body that is sent; null where the page first has to be compressed for this client. Then it is
 * sent when that is done.
 */
export function sendStoredPage(
  req: IncomingMessage,
  res: ServerResponse,
  page: StoredPage,
  common: readonly string[],
  extra: readonly string[],
): number | null {
  const variant = variantFor(req, page);
  if (!isReady(page, variant)) {
    complete(page).then(
      () => {
        // Whoever has gone takes nothing.
        if (!res.destroyed) send(req, res, page, variant, headOf(page, variant, common).concat(extra));
      },
      error => res.destroy(error),
    );
    return null;
  }
  send(req, res, page, variant, headOf(page, variant, common).concat(extra));
  return variant === 'not-modified' || req.method === 'HEAD' ? 0 : sizeOf(page, variant);
}

function variantFor({ headers }: IncomingMessage, page: StoredPage): Variant {
  return page.status === 200 && matches(headers['if-none-match'], page.etag)
    ? 'not-modified'
    : encodingFor(headers['accept-encoding']);
}

function isReady({ bodies }: StoredPage, variant: Variant): boolean {
  return (variant !== 'br' && variant !== 'gzip') || bodies[variant] !== null;
}

function send(
  { method }: IncomingMessage,
  res: ServerResponse,
  page: StoredPage,
  variant: Variant,
  head: string[],
): void {
  res.writeHead(variant === 'not-modified' ? 304 : page.status, head);
  if (variant === 'not-modified' || method === 'HEAD') res.end();
  else if (variant === 'identity')
    unpacked(page.bodies).then(
      body => res.end(body),
      error => res.destroy(error),
    );
  else res.end(page.bodies[variant]);
}

function sizeOf({ bodies, identityBytes }: StoredPage, variant: Variant): number {
  return variant === 'br' || variant === 'gzip' ? (bodies[variant]?.byteLength ?? 0) : identityBytes;
}

function headOf(page: StoredPage, variant: Variant, common: readonly string[]): readonly string[] {
  const known = heads.get(page) ?? {};
  const head = known[variant];
  if (head) return head;
  const made = makeHead(page, variant, common);
  heads.set(page, { ...known, [variant]: made });
  return made;
}

function makeHead(page: StoredPage, variant: Variant, common: readonly string[]): string[] {
  const own = [...page.headers, 'ETag', page.etag];
  const names = new Set(own.filter((_, index) => index % 2 === 0));
  // `writeHead` would send both.
  const head = [...pairs(common).filter(([name]) => !names.has(name)), ...pairs(own)];
  // RFC 9110, 15.4.5: a 304 has the fields that a cache needs to renew what it has, and none of the content's.
  if (variant === 'not-modified')
    return head.filter(([name]) => name !== 'Content-Type' && name !== 'Link').flat();
  const encoding = variant === 'identity' ? [] : ['Content-Encoding', variant];
  return [...head.flat(), ...encoding, 'Content-Length', String(sizeOf(page, variant))];
}

function pairs(flat: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [
    flat[2 * index] ?? '',
    flat[2 * index + 1] ?? '',
  ]);
}

/** RFC 9110, 13.1.2: a list of tags compared weakly, or `*`. */
function matches(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  if (condition === etag || condition.trim() === '*') return true;
  const opaque = etag.slice(2);
  return (condition.match(/(?:W\/)?"[^"]*"/g) ?? []).some(tag => tag.replace(/^W\//, '') === opaque);
}
