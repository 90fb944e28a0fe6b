import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { routeTable } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { PAGE_SIZE } from '../content/lists/all-pages.ts';
import type { PageRange } from '../content/lists/article-addresses.ts';
import type { PagedLocations, SitemapLocation } from '../loaders/loader.ts';
import { routeContent } from '../loaders/loaders.ts';
import type { Site } from '../site.ts';
import type { SitemapLimits } from './sitemap-limits.ts';
import { type DocumentSite, storedDocument } from './stored-document.ts';
import { escapeXml } from './xml.ts';

/** Addresses that are written in one turn of the event loop. */
const SLICE = 500;

const PART_PATH = /^\/sitemap-([1-9]\d{0,4})\.xml$/;
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
/** Pictures are an extension of Google's. */
const OF_PICTURES = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';

/** Addresses that belong together: some of those in the cache, or some pages of a long list. */
type Part = { locations: readonly SitemapLocation[] } | { source: PagedLocations; range: PageRange };

/**
 * `/sitemap.xml` (sitemaps.org) lists the pages of all routes. Beyond the limits of one file it is an index of the parts
 * `/sitemap-1.xml`, `/sitemap-2.xml` and so on.
 */
export function sitemap(site: DocumentSite & Pick<Site, 'sitemapLimits'>): RequestHandler {
  const contentType = 'application/xml; charset=utf-8';
  const limits = site.sitemapLimits;
  const complete = storedDocument(site, {
    contentType,
    write: (reader, origin) => writeComplete(limits, reader, origin),
  });
  return (req, res, next) => {
    const [, number] = PART_PATH.exec(req.path) ?? [];
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!isRead || (number === undefined && req.path !== '/sitemap.xml')) return next();
    if (number === undefined) return complete(req, res, next);
    const write = (reader: ContentReader, origin: string) =>
      writePart(limits, reader, origin, Number(number));
    return storedDocument(site, { contentType, write })(req, res, next);
  };
}

async function writeComplete(limits: SitemapLimits, reader: ContentReader, origin: string): Promise<Buffer> {
  const { parts, addresses } = await divide(limits, reader);
  const urls = addresses > limits.addresses ? null : await urlset(limits, reader, origin, parts);
  return urls ?? sitemapIndex(origin, parts.length);
}

async function writePart(
  limits: SitemapLimits,
  reader: ContentReader,
  origin: string,
  number: number,
): Promise<Buffer | null> {
  const { parts } = await divide(limits, reader);
  const part = parts[number - 1];
  return part ? urlset(limits, reader, origin, [part]) : null;
}

/** Divides all addresses into parts. The addresses of long lists are only counted here. */
async function divide(
  { partAddresses }: SitemapLimits,
  reader: ContentReader,
): Promise<{ parts: readonly Part[]; addresses: number }> {
  const sources = routeTable.map(({ id }) => routeContent[id].locations);
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

/** @returns a file with the addresses of some parts; null when it would be too large. */
async function urlset(
  limits: SitemapLimits,
  reader: ContentReader,
  origin: string,
  parts: readonly Part[],
): Promise<Buffer | null> {
  const chunks = [Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><urlset ${NAMESPACE} ${OF_PICTURES}>`)];
  const end = Buffer.from('</urlset>');
  let bytes = (chunks[0]?.byteLength ?? 0) + end.byteLength;
  // A row that is added while a list is read shifts the others, and one of them is then read twice.
  const seen = new Set<string>();
  for (const part of parts) {
    for await (const slice of slicesOf(reader, part)) {
      const fresh = slice.filter(({ path }) => !seen.has(path) && seen.add(path));
      const chunk = Buffer.from(fresh.map(location => urlElement(origin, location)).join(''));
      bytes += chunk.byteLength;
      if (bytes > limits.bytes) return null;
      chunks.push(chunk);
      await nextTurn();
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
