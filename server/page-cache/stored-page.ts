import { hash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import * as z from 'zod';
import type { RecordCodec } from '../cache/disk-tier.ts';
import { type CacheEntry, textBytes } from '../cache/entry-store.ts';
import type { Encoding } from '../http/accept-encoding.ts';
import type { Fields } from '../http/ready-head.ts';
import { compress, decompress, type PageEncoding } from './encodings.ts';
import { ownFields, type PageHead, pageHead } from './page-head.ts';

/**
 * The bodies of a page. It has one at first, in the encoding of its first visitor. Another one is compressed for the first visitor who takes it. An
 * uncompressed one is replaced by a compressed one soon, because it needs six times the memory.
 */
export type Encodings = Readonly<Record<Encoding, Buffer | null>>;

/** A rendered page or payload, ready to be sent. It never changes. */
export interface StoredPage {
  readonly status: 200 | 404 | 410;
  /** The id of the route that rendered it, for the log. */
  readonly route: string | null;
  readonly head: PageHead;
  /** Weak (RFC 9110, 8.8.3), and a digest of the uncompressed body: all encodings share it, and a render with the same result keeps it. */
  readonly etag: string;
  readonly encodings: Encodings;
  /** Bytes of the uncompressed body. */
  readonly identityBytes: number;
  /** The version of the content in the page. While it does not change, the page need not be rendered again. */
  readonly contentVersion: string;
}

export interface PageContents {
  status: StoredPage['status'];
  route: string | null;
  body: Buffer;
  /** The page's own headers. */
  headers: Fields;
  contentVersion: string;
  /** Whether the page is stored for a moment alone, so that its compression must be cheap. */
  isShortLived?: boolean;
}

/**
 * Creates a stored page with one encoding.
 *
 * @param encoding the encoding for the waiting visitor.
 * @param common the headers of every answer of the site.
 */
export async function createStoredPage(
  { status, route, body, headers, contentVersion, isShortLived = false }: PageContents,
  encoding: Encoding,
  common: Fields,
): Promise<StoredPage> {
  const etag = `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  return {
    status,
    route,
    head: pageHead(common, [...headers, ['ETag', etag]]),
    etag,
    encodings: { ...NO_BODIES, [encoding]: await encoded(body, encoding, isShortLived) },
    identityBytes: body.byteLength,
    contentVersion,
  };
}

const NO_BODIES: Encodings = { br: null, gzip: null, identity: null };

async function encoded(body: Buffer, encoding: Encoding, isFast: boolean): Promise<Buffer> {
  if (encoding !== 'identity') return compress(body, encoding, isFast);
  return body.byteLength === body.buffer.byteLength ? body : ownBytes(body);
}

/** @returns the page with one more compressed body, in place of the uncompressed one. */
export async function addEncoding(page: StoredPage, encoding: PageEncoding): Promise<StoredPage> {
  const body = await compress(await identityOf(page), encoding);
  return { ...page, encodings: { ...page.encodings, identity: null, [encoding]: body } };
}

/** @returns the uncompressed body of a page. */
export async function identityOf({ encodings, identityBytes }: StoredPage): Promise<Buffer> {
  const { br, gzip, identity } = encodings;
  if (identity) return identity;
  return gzip
    ? decompress(gzip, 'gzip', identityBytes)
    : decompress(br ?? Buffer.alloc(0), 'br', identityBytes);
}

/**
 * Bytes that V8 needs for a page besides its texts and bodies: for the page, its head, and a buffer with its backing store for each body.
 * Measured with 20,000 pages. The figure of the page is small, because the names of headers are counted for each page but stored once.
 */
const PAGE_OVERHEAD_BYTES = 100;
const BODY_OVERHEAD_BYTES = 200;

/** @returns a page's bytes in memory. The texts of the site's common headers are not counted, because all pages share them. */
export function sizeOfPage({ head, etag, encodings, contentVersion }: StoredPage): number {
  const own = textBytes([head.plain, head.plainOfFull, head.own, head.words]);
  const bodies = Object.values(encodings).reduce(
    (sum, body) => sum + (body ? body.byteLength + BODY_OVERHEAD_BYTES : 0),
    0,
  );
  return PAGE_OVERHEAD_BYTES + own + bodies + etag.length + contentVersion.length;
}

/** A page on disk. The site's common headers are added when it is loaded. */
export type PageRecord = z.infer<typeof recordSchema>;

const bytes = z.instanceof(Uint8Array).transform(ownBytes);
const recordSchema = z.object({
  status: z.literal([200, 404, 410]),
  route: z.string().nullable(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  etag: z.string(),
  br: bytes.nullable(),
  gzip: bytes.nullable(),
  identity: bytes.nullable(),
  identityBytes: z.number(),
  contentVersion: z.string(),
  tags: z.array(z.string()),
  about: z.string().nullable(),
  generatedAt: z.number(),
  invalidated: z.boolean(),
});

/** Page records in V8's serialisation, which stores the bodies as bytes. */
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

/**
 * @returns a function that returns the record of an entry when it is written. By then the stored page may have another encoding. Thousands of
 *   records may wait, so the function holds nothing of what the page was rendered from.
 */
export function laterRecord(
  pages: { peek(key: string): CacheEntry<StoredPage> | null },
  key: string,
): (entry: CacheEntry<StoredPage>) => PageRecord {
  return entry => {
    const stored = pages.peek(key);
    return pageRecordOf(stored?.value.etag === entry.value.etag ? stored : entry);
  };
}

/** @param common the headers of every answer of the site. */
export function pageEntryOf(record: PageRecord, common: Fields): CacheEntry<StoredPage> {
  const { headers, br, gzip, identity, tags, about, generatedAt, invalidated, ...page } = record;
  const value: StoredPage = { ...page, head: pageHead(common, headers), encodings: { br, gzip, identity } };
  return { value, tags, about, generatedAt, invalidated };
}

/** Copies a part of a larger buffer, because the part would hold the complete buffer in memory. */
function ownBytes(part: Uint8Array): Buffer {
  const own = Buffer.allocUnsafeSlow(part.byteLength);
  own.set(part);
  return own;
}
