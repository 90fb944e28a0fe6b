import { hash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import * as z from 'zod';
import type { RecordCodec } from '../cache/disk/disk-tier.ts';
import { type CacheEntry, textBytes } from '../cache/entry-store.ts';
import type { Config } from '../config/config.ts';
import { publicConfig } from '../http/public-config.ts';
import type { Fields } from '../http/ready-head.ts';
import type { Encoding } from '../http/request/accept-encoding.ts';
import { compress, decompress, ownBytes, type PageEncoding } from './encodings.ts';
import { ownFields, type PageHead, pageHead } from './page-head.ts';

/**
 * The bodies: one in the first visitor's encoding, others on demand. A compressed body soon replaces an
 * uncompressed one, which needs six times the memory.
 */
type Encodings = Readonly<Record<Encoding, Buffer | null>>;

/** A rendered page or payload, ready to be sent. It never changes. */
export interface StoredPage {
  readonly status: 200 | 404 | 410;
  readonly route: string | null;
  readonly head: PageHead;
  /** A digest of the uncompressed body, and the weak ETag (RFC 9110, 8.8.3) of all encodings. */
  readonly etag: string;
  readonly encodings: Encodings;
  readonly identityBytes: number;
  /** The version of the content. While it is the same, the page is not rendered again. */
  readonly contentVersion: string;
}

export interface PageContents extends Pick<StoredPage, 'status' | 'route' | 'contentVersion'> {
  body: Buffer;
  headers: Fields;
  isShortLived?: boolean;
}

/** @param common the headers of every response. */
export async function createStoredPage(
  { status, route, body, headers, contentVersion, isShortLived = false }: PageContents,
  encoding: Encoding,
  common: Fields,
): Promise<StoredPage> {
  const etag = `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  return {
    status,
    route,
    head: pageHead(common, headers),
    etag,
    encodings: { ...NO_BODIES, [encoding]: await encoded(body, encoding, isShortLived) },
    identityBytes: body.byteLength,
    contentVersion,
  };
}

export function withFields(page: StoredPage, fields: Fields, common: Fields): StoredPage {
  const names = new Set(fields.map(([name]) => name));
  const others = ownFields(page.head).filter(([name]) => !names.has(name));
  return { ...page, head: pageHead(common, [...others, ...fields]) };
}

const NO_BODIES: Encodings = { br: null, gzip: null, identity: null };

async function encoded(body: Buffer, encoding: Encoding, isFast: boolean): Promise<Buffer> {
  if (encoding !== 'identity') return compress(body, encoding, isFast);
  return body.byteLength === body.buffer.byteLength ? body : ownBytes(body);
}

export async function addEncoding(page: StoredPage, encoding: PageEncoding): Promise<StoredPage> {
  const body = await compress(await identityOf(page), encoding);
  return { ...page, encodings: { ...page.encodings, identity: null, [encoding]: body } };
}

export async function identityOf({ encodings, identityBytes }: StoredPage): Promise<Buffer> {
  const { br, gzip, identity } = encodings;
  if (identity) return identity;
  return gzip
    ? decompress(gzip, 'gzip', identityBytes)
    : decompress(br ?? Buffer.alloc(0), 'br', identityBytes);
}

/**
 * The bytes of a page without texts and bodies, as measured with 20,000 pages. The first number is small,
 * because header names are counted for each page but stored once.
 */
const PAGE_OVERHEAD_BYTES = 100;
const BODY_OVERHEAD_BYTES = 200;

/** @returns the bytes in memory, without the common headers, which all pages share. */
export function sizeOfPage({ head, etag, encodings, contentVersion }: StoredPage): number {
  const own = textBytes([head.plain, head.plainOfFull, head.surrogateKeys]);
  const bodies = Object.values(encodings).reduce(
    (sum, body) => sum + (body ? body.byteLength + BODY_OVERHEAD_BYTES : 0),
    0,
  );
  return PAGE_OVERHEAD_BYTES + own + bodies + etag.length + contentVersion.length;
}

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
  endsAt: z.number().nullable().optional(),
  withdrawnAt: z.number().nullable().optional(),
});

export const pageRecordCodec: RecordCodec<PageRecord> = {
  encode: record => serialize(record),
  decode: contents => recordSchema.parse(deserialize(contents)),
};

export function pageRecordOf({ value, ...entry }: CacheEntry<StoredPage>): PageRecord {
  const { head, encodings, ...page } = value;
  const headers = ownFields(head).map(([name, text]): [string, string] => [name, text]);
  return { ...page, ...encodings, headers, ...entry, tags: [...entry.tags] };
}

/**
 * @returns a function that makes the record when it is written, with the encodings of that time. It holds no
 *   page, because thousands of functions may wait.
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

export function pageEntryOf(record: PageRecord, common: Fields): CacheEntry<StoredPage> {
  const { headers, br, gzip, identity, tags, about, generatedAt, invalidated, ...others } = record;
  const { endsAt = null, withdrawnAt = null, ...page } = others;
  const value: StoredPage = { ...page, head: pageHead(common, headers), encodings: { br, gzip, identity } };
  return { value, tags, about, generatedAt, invalidated, endsAt, withdrawnAt };
}

/** The version of the format of page records. Raise it when the format changes. */
const FORMAT = 6;

export function pageVersion(buildId: string, config: Config): string {
  const written = [
    FORMAT,
    config.publicOrigin,
    config.mediaOrigins,
    config.embedProviders,
    config.contentTtlMs,
    config.staleIfErrorMs,
    config.scriptsConsent,
    config.siteLocale,
    config.siteTimeZone,
    config.siteCurrency,
    publicConfig(config, null),
  ];
  return `${buildId}-${hash('sha256', JSON.stringify(written), 'hex').slice(0, 16)}`;
}

/** Limit for folders of this build with another configuration, such as another PUBLIC_URL. */
const MAX_OTHERS_OF_THIS_BUILD = 1;
const MAX_OF_LAST_BUILD = 2;

/** Keeps the last two builds' versions, for a rollback in an outage. `others`: most recently used first. */
export function keptPageVersions(version: string, others: readonly string[]): readonly string[] {
  const build = buildOf(version);
  const ofThisBuild = others.filter(other => buildOf(other) === build);
  const ofOtherBuilds = others.filter(other => buildOf(other) !== build);
  const lastBuild = buildOf(ofOtherBuilds[0] ?? '');
  return [
    ...ofThisBuild.slice(0, MAX_OTHERS_OF_THIS_BUILD),
    ...ofOtherBuilds.filter(other => buildOf(other) === lastBuild).slice(0, MAX_OF_LAST_BUILD),
  ];
}

function buildOf(version: string): string {
  return version.slice(0, version.lastIndexOf('-'));
}
