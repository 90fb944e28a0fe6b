import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RouteId } from '../../shared/routes.ts';
import type { Tagged } from '../cache/tagged-store.ts';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

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
  readonly br: Buffer;
  readonly gzip: Buffer;
  readonly identityBytes: number;
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

/** Compresses a page for all who will ask for it. Both encodings are made in the thread pool, side by side. */
export async function makeStoredPage({ body, ...page }: PageContents): Promise<StoredPage> {
  const [br, gz] = await Promise.all([
    brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
        [constants.BROTLI_PARAM_LGWIN]: windowBits(body.byteLength),
      },
    }),
    gzipped(body, { level: GZIP_LEVEL }),
  ]);
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const text = [...page.headers, ...page.tags, etag];
  return {
    ...page,
    etag,
    br: ownBytes(br),
    gzip: ownBytes(gz),
    identityBytes: body.byteLength,
    bytes: br.byteLength + gz.byteLength + text.reduce((sum, value) => sum + value.length + 8, 0),
  };
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
