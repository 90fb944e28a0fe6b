import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import type { RouteId } from '../../shared/routing/routes.ts';
import type { Tagged } from '../cache/tagged-store.ts';
import type { Encoding } from '../http/accept-encoding.ts';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const unbrotli = promisify(brotliDecompress);
const ungzipped = promisify(gunzip);

/** Half a millisecond for a page of 80 KB; the highest level would take a hundred times as long for a quarter less. */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

/** A page or a payload, ready to be sent: made once, sent many times. */
export interface StoredPage extends Tagged {
  readonly status: 200 | 404;
  readonly route: RouteId | null;
  /** Names and values one after the other, as `writeHead` takes them; what depends on the encoding is not among them. */
  readonly headers: readonly string[];
  /** Weak, and of the content alone: the same for all encodings, and for a renewal that changes nothing. RFC 9110, 8.8.3. */
  readonly etag: string;
  readonly bodies: Bodies;
  readonly identityBytes: number;
  /** Changes once, when the second of the bodies is there. */
  bytes: number;
}

/**
 * A page in both encodings, each compressed once. The one that its first visitor takes is there from the start, and nobody
 * waits for the other: null until it is there, a moment later.
 */
export interface Bodies {
  br: Buffer | null;
  gzip: Buffer | null;
}

export interface PageContents {
  status: 200 | 404;
  route: RouteId | null;
  body: Buffer;
  headers: readonly string[];
  tags: readonly string[];
  about: string | null;
  madeAt: number;
  purged: boolean;
}

/**
 * Compresses a page, in one encoding; `complete` does the other.
 *
 * @param wanted what the visitor takes who waits for it.
 */
export async function makeStoredPage({ body, ...page }: PageContents, wanted: Encoding): Promise<StoredPage> {
  const bodies: Bodies =
    wanted === 'br' ? { br: await brotliBody(body), gzip: null } : { br: null, gzip: await gzipBody(body) };
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const stored = { ...page, etag, bodies, identityBytes: body.byteLength };
  return { ...stored, bytes: weightOf(stored) };
}

/** @returns whether a page is there in both encodings. */
export function isWhole({ bodies }: StoredPage): boolean {
  return bodies.br !== null && bodies.gzip !== null;
}

const completions = new WeakMap<Bodies, Promise<void>>();

/** Compresses a page in the encoding that it lacks, once for all who ask for it, and weighs it again. */
export async function complete(page: StoredPage): Promise<void> {
  const { bodies } = page;
  const completion = completions.get(bodies) ?? completeBodies(bodies);
  completions.set(bodies, completion);
  // What failed is tried again by the next one who asks.
  completion.catch(() => completions.delete(bodies));
  await completion;
  page.bytes = weightOf(page);
}

async function completeBodies(bodies: Bodies): Promise<void> {
  const body = await unpacked(bodies);
  bodies.br ??= await brotliBody(body);
  bodies.gzip ??= await gzipBody(body);
}

/** @returns the page as it was before it was compressed. */
export function unpacked({ br, gzip }: Bodies): Promise<Buffer> {
  return gzip ? ungzipped(gzip) : unbrotli(br ?? Buffer.alloc(0));
}

/** @returns what a page takes in memory, in bytes. */
function weightOf({ bodies, headers, tags, etag }: Omit<StoredPage, 'bytes'>): number {
  const text = [...headers, ...tags, etag].reduce((sum, value) => sum + value.length + 8, 0);
  return text + (bodies.br?.byteLength ?? 0) + (bodies.gzip?.byteLength ?? 0);
}

async function brotliBody(body: Buffer): Promise<Buffer> {
  const packed = await brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      [constants.BROTLI_PARAM_LGWIN]: windowBits(body.byteLength),
    },
  });
  return ownBytes(packed);
}

async function gzipBody(body: Buffer): Promise<Buffer> {
  return ownBytes(await gzipped(body, { level: GZIP_LEVEL }));
}

/** Without this a few kilobytes would keep the 16 KiB alive that zlib has made them in. */
function ownBytes(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  bytes.copy(own);
  return own;
}

/** A window as large as the page: brotli takes several times its size in memory, and 4 MiB of it unless told. */
function windowBits(bytes: number): number {
  const { BROTLI_MIN_WINDOW_BITS: least, BROTLI_DEFAULT_WINDOW: most } = constants;
  return Math.min(most, Math.max(least, Math.ceil(Math.log2(bytes + 16))));
}
