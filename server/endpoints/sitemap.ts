import { setImmediate as nextTick } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { PAGE_SIZE } from '../content/lists/all-pages.ts';
import type { ContentReader } from '../content/reading/content-reader.ts';
import type { PageRange } from '../content/reading/read-values.ts';
import type { PagedLocations, RouteContents, SitemapLocation } from '../loading/loader.ts';
import { type DocumentParts, storedDocument } from './stored-document.ts';
import { escapeXml } from './xml.ts';

/** The limits of sitemaps.org for one file. Slugs are short, so a part stays far below the limit in bytes. */
export const SITEMAP_LIMITS = {
  addresses: 50_000,
  /** Before compression. */
  bytes: 50 * 1024 * 1024,
  /** The addresses in a part of a divided sitemap, a multiple of PAGE_SIZE. */
  partAddresses: 10_000,
};
export type SitemapLimits = typeof SITEMAP_LIMITS;

interface SitemapParts extends DocumentParts {
  readonly sitemapLimits: SitemapLimits;
  readonly contents: RouteContents;
}

const SLICE = 500;

const CONTENT_TYPE = 'application/xml; charset=utf-8';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
/** The namespace of pictures, an extension by Google. */
const OF_PICTURES = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';

type Part = { locations: readonly SitemapLocation[] } | { source: PagedLocations; range: PageRange };

/** `/sitemap.xml` (sitemaps.org). A sitemap above the limits becomes an index of `/sitemap-1.xml` … */
export function sitemap(parts: SitemapParts): RequestHandler {
  return storedDocument(parts, {
    route: 'sitemap',
    contentType: CONTENT_TYPE,
    write: (reader, origin) => writeComplete(parts, reader, origin),
  });
}

export const SITEMAP_PART = /^\/sitemap-([1-9]\d{0,4})\.xml$/;

export function sitemapPart(parts: SitemapParts): RequestHandler {
  return (req, res, next) => {
    const number = Number(req.params[0]);
    const write = (reader: ContentReader, origin: string) => writePart(parts, reader, origin, number);
    return storedDocument(parts, { route: 'sitemap', contentType: CONTENT_TYPE, write })(req, res, next);
  };
}

async function writeComplete(from: SitemapParts, reader: ContentReader, origin: string): Promise<Buffer> {
  const limits = from.sitemapLimits;
  const { parts, addresses } = await divide(from, reader);
  const urls = addresses > limits.addresses ? null : await urlset(limits, reader, origin, parts);
  return urls ?? sitemapIndex(origin, parts.length);
}

async function writePart(
  from: SitemapParts,
  reader: ContentReader,
  origin: string,
  number: number,
): Promise<Buffer | null> {
  const { parts } = await divide(from, reader);
  const part = parts[number - 1];
  return part ? urlset(from.sitemapLimits, reader, origin, [part]) : null;
}

/** Divides all addresses into parts. Counts the addresses of long lists without reading them. */
async function divide(
  { contents, sitemapLimits: { partAddresses } }: SitemapParts,
  reader: ContentReader,
): Promise<{ parts: readonly Part[]; addresses: number }> {
  const sources = Object.values(contents).map(({ locations }) => locations);
  const lists = await Promise.all(
    sources.map(source => (typeof source === 'function' ? source(reader) : [])),
  );
  const short = lists.flat();
  const parts: Part[] = [];
  for (let at = 0; at < short.length; at += partAddresses)
    parts.push({ locations: short.slice(at, at + partAddresses) });
  let addresses = short.length;
  for (const source of sources) {
    if (typeof source === 'function') continue;
    const count = await source.count(reader);
    addresses += count;
    const pages = partAddresses / PAGE_SIZE;
    for (let first = 1; first <= Math.ceil(count / PAGE_SIZE); first += pages)
      parts.push({ source, range: { first, last: first + pages - 1 } });
  }
  return { parts, addresses };
}

/** @returns the file; null if it would be too large. */
async function urlset(
  limits: SitemapLimits,
  reader: ContentReader,
  origin: string,
  parts: readonly Part[],
): Promise<Buffer | null> {
  const chunks = [Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><urlset ${NAMESPACE} ${OF_PICTURES}>`)];
  const end = Buffer.from('</urlset>');
  let bytes = (chunks[0]?.byteLength ?? 0) + end.byteLength;
  // Skip repeated addresses: a row added during the read moves a row to the next page, which repeats it.
  const seen = new Set<string>();
  for (const part of parts) {
    for await (const slice of slicesOf(reader, part)) {
      const fresh = slice.filter(({ path }) => !seen.has(path) && seen.add(path));
      const chunk = Buffer.from(fresh.map(location => urlElement(origin, location)).join(''));
      bytes += chunk.byteLength;
      if (bytes > limits.bytes) return null;
      chunks.push(chunk);
      await nextTick();
    }
  }
  return Buffer.concat([...chunks, end]);
}

async function* slicesOf(reader: ContentReader, part: Part): AsyncGenerator<readonly SitemapLocation[]> {
  if ('source' in part) return yield* part.source.read(reader, part.range);
  for (let at = 0; at < part.locations.length; at += SLICE) yield part.locations.slice(at, at + SLICE);
}

function sitemapIndex(origin: string, parts: number): Buffer {
  const element = (_: unknown, at: number) =>
    `<sitemap><loc>${escapeXml(`${origin}/sitemap-${at + 1}.xml`)}</loc></sitemap>`;
  const elements = Array.from({ length: parts }, element).join('');
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><sitemapindex ${NAMESPACE}>${elements}</sitemapindex>`,
  );
}

function urlElement(origin: string, { path, lastModified, picture }: SitemapLocation): string {
  const modified = lastModified === null ? '' : `<lastmod>${escapeXml(lastModified)}</lastmod>`;
  const address = picture && URL.parse(picture, origin)?.href;
  const image = address ? `<image:image><image:loc>${escapeXml(address)}</image:loc></image:image>` : '';
  return `<url><loc>${escapeXml(origin + path)}</loc>${modified}${image}</url>`;
}
