import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import * as z from 'zod';
import type { RecordCodec } from '../cache/disk-tier.ts';
import { type CacheEntry, textBytes } from '../cache/entry-store.ts';
import { compress, decompress, type PageEncoding } from './encodings.ts';

/** The compressed forms of a page. The one that its first visitor takes is there from the start, the other follows soon. */
export type Encodings = Readonly<Record<PageEncoding, Buffer | null>>;

/** A page or a payload, ready to be sent: rendered once, sent many times. It never changes. */
export interface StoredPage {
  readonly status: 200 | 404;
  /** The id of the route that rendered it, for the log. */
  readonly route: string | null;
  readonly head: PageHead;
  /** Weak, and of the content alone: the same for all encodings, and for a revalidation that changes nothing (RFC 9110, 8.8.3). */
  readonly etag: string;
  readonly encodings: Encodings;
  /** Bytes of the body before it was compressed. */
  readonly identityBytes: number;
  /** A digest of the content that the page was made from: while it is the same, the page need not be rendered again. */
  readonly contentVersion: string;
}

/** The head of a stored page as `writeHead` takes it, names and values one after the other, but for what depends on the encoding. */
export interface PageHead {
  /** In this order: the headers that all answers of the site have, the page's own, and those that describe its content. */
  readonly fields: readonly string[];
  /** Where the page's own headers begin in `fields`. */
  readonly ownAt: number;
  /** Where the headers begin that a 304 leaves out (RFC 9110, 15.4.5). */
  readonly contentAt: number;
}

/** Headers that describe the content of a page: a 304 has none of them. */
const CONTENT_FIELDS: ReadonlySet<string> = new Set(['Content-Type', 'Link']);

type Fields = readonly (readonly [name: string, value: string])[];

/**
 * @param common headers of every answer of the site. A page's own header of the same name takes its place.
 * @param own headers of the page.
 */
export function pageHead(common: Fields, own: Fields): PageHead {
  const names = new Set(own.map(([name]) => name));
  const shared = common.filter(([name]) => !names.has(name)).flat();
  const plain = own.filter(([name]) => !CONTENT_FIELDS.has(name)).flat();
  const content = own.filter(([name]) => CONTENT_FIELDS.has(name)).flat();
  return {
    fields: [...shared, ...plain, ...content],
    ownAt: shared.length,
    contentAt: shared.length + plain.length,
  };
}

/** @returns the page's own headers. */
export function ownFields({ fields, ownAt }: PageHead): Fields {
  const own = fields.slice(ownAt);
  return Array.from({ length: own.length / 2 }, (_, at) => [own[2 * at] ?? '', own[2 * at + 1] ?? '']);
}

export interface PageContents {
  status: 200 | 404;
  route: string | null;
  body: Buffer;
  /** The page's own headers. */
  headers: Fields;
  contentVersion: string;
}

/**
 * Compresses a page in one encoding.
 *
 * @param preferred the encoding that the waiting visitor takes.
 * @param common headers of every answer of the site.
 */
export async function makeStoredPage(
  { status, route, body, headers, contentVersion }: PageContents,
  preferred: PageEncoding,
  common: Fields,
): Promise<StoredPage> {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return {
    status,
    route,
    head: pageHead(common, [...headers, ['ETag', etag]]),
    etag,
    encodings: { br: null, gzip: null, [preferred]: await compress(body, preferred) },
    identityBytes: body.byteLength,
    contentVersion,
  };
}

/** @returns the encoding that a page still lacks, or null. */
export function missingEncoding({ encodings }: StoredPage): PageEncoding | null {
  if (encodings.br === null) return 'br';
  return encodings.gzip === null ? 'gzip' : null;
}

/** @returns the page with one encoding more. */
export async function addEncoding(page: StoredPage, encoding: PageEncoding): Promise<StoredPage> {
  const body = await compress(await identityOf(page), encoding);
  return { ...page, encodings: { ...page.encodings, [encoding]: body } };
}

/** @returns the body of a page as it was before it was compressed. */
export function identityOf({ encodings: { br, gzip } }: StoredPage): Promise<Buffer> {
  return gzip ? decompress(gzip, 'gzip') : decompress(br ?? Buffer.alloc(0), 'br');
}

/**
 * What V8 needs for a page besides its texts and bodies, in bytes: the page, its head, and for each body a buffer with its backing store.
 * Measured with 20,000 pages. The share of the page is small because names of headers are counted for each page and stored once.
 */
const PAGE_OVERHEAD_BYTES = 100;
const BODY_OVERHEAD_BYTES = 200;

/** @returns what a page holds in memory, in bytes. The texts of the site's common headers are the same for all pages and not counted. */
export function sizeOfPage({ head, etag, encodings, contentVersion }: StoredPage): number {
  const own = textBytes(head.fields.slice(head.ownAt));
  const pointers = head.fields.length * 8;
  const bodies = [encodings.br, encodings.gzip].reduce(
    (sum, body) => sum + (body ? body.byteLength + BODY_OVERHEAD_BYTES : 0),
    0,
  );
  return PAGE_OVERHEAD_BYTES + own + pointers + bodies + etag.length + contentVersion.length;
}

/** A page on disk. The site's common headers are added when it is loaded. */
export type PageRecord = z.infer<typeof recordSchema>;

const bytes = z.instanceof(Uint8Array).transform(ownBytes);
const recordSchema = z.object({
  status: z.literal([200, 404]),
  route: z.string().nullable(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  etag: z.string(),
  br: bytes.nullable(),
  gzip: bytes.nullable(),
  identityBytes: z.number(),
  contentVersion: z.string(),
  tags: z.array(z.string()),
  about: z.string().nullable(),
  generatedAt: z.number(),
  invalidated: z.boolean(),
});

/** Page records as V8 serialises them: bodies stay bytes. */
export const pageRecordCodec: RecordCodec<PageRecord> = {
  encode: record => serialize(record),
  decode: contents => recordSchema.parse(deserialize(contents)),
};

export function pageRecordOf({ value, ...entry }: CacheEntry<StoredPage>): PageRecord {
  const { status, route, etag, encodings, identityBytes, contentVersion, head } = value;
  const { tags, about, generatedAt, invalidated } = entry;
  return {
    ...{ status, route, etag, ...encodings, identityBytes, contentVersion },
    headers: ownFields(head).map(([name, text]): [string, string] => [name, text]),
    ...{ tags: [...tags], about, generatedAt, invalidated },
  };
}

/** @param common headers of every answer of the site. */
export function pageEntryOf(record: PageRecord, common: Fields): CacheEntry<StoredPage> {
  const { headers, br, gzip, tags, about, generatedAt, invalidated, ...page } = record;
  const value: StoredPage = { ...page, head: pageHead(common, headers), encodings: { br, gzip } };
  return { value, tags, about, generatedAt, invalidated };
}

/** A part of a larger buffer would keep all of it in memory. */
function ownBytes(part: Uint8Array): Buffer {
  const own = Buffer.allocUnsafeSlow(part.byteLength);
  own.set(part);
  return own;
}
