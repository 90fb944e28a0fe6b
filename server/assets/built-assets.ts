import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import fresh from 'fresh';
import type { CacheStatus } from '../http/cache-status.ts';
import { contentTypeOfFile } from '../http/content-type.ts';
import { type Fields, headLines, writeReadyHead } from '../http/ready-head.ts';
import { type Encoding, encodingFor } from '../http/request/accept-encoding.ts';
import { dataHeaders } from '../http/security/security-headers.ts';

interface Asset {
  encodings: Readonly<Record<Encoding, ReturnType<typeof encodedFile>>>;
  /** The parts of a 304 answer; null for a file that never changes under its address. */
  revalidation: ReturnType<typeof revalidationOf> | null;
}

interface AssetParts {
  readonly distDir: string;
  readonly securityHeaders: Fields;
  readonly pages: { readonly cacheStatus: CacheStatus };
}

type SendAsset = (req: IncomingMessage, res: ServerResponse, requestId: string) => number;

const NO_BODY = Buffer.alloc(0);
const IMMUTABLE = 'public, max-age=31536000, immutable';
const ONE_DAY = 'public, max-age=86400';

/** Keeps `/assets/**` and `site/static` in memory. Reads each file at its first request, or by `loads`. */
export function builtAssets({ distDir, securityHeaders, pages: { cacheStatus } }: AssetParts) {
  const status = ['Cache-Status', cacheStatus.bypass] as const;
  const assets = new Map([
    // Send the headers of data, because files of this folder are parts of pages and no pages.
    ...readFolder(
      path.join(distDir, 'client/assets'),
      '/assets/',
      [...dataHeaders(securityHeaders), status],
      IMMUTABLE,
    ),
    ...readFolder(path.join(distDir, 'client/static'), '/', [...securityHeaders, status], ONE_DAY),
  ]);
  return {
    /** Finds the file for a request's address, without the query. */
    find: (url: string) => (assets.get(url) ?? assets.get(pathOf(url)))?.(),
    /** Functions that read one file each, if no request has. Call all before a build replaces the folder. */
    loads: assets.values(),
  };
}

/** Reads the file at the first call; undefined if the file was removed before. */
type ReadAsset = () => SendAsset | undefined;

function pathOf(url: string): string {
  if (!/[?%]/.test(url)) return url;
  const [encoded = ''] = url.split('?', 1);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function readFolder(
  folder: string,
  prefix: string,
  common: Fields,
  cacheControl: string,
): [address: string, asset: ReadAsset][] {
  const names = new Set(listFiles(folder));
  const read = (name: string) => (names.has(name) ? readFileSync(path.join(folder, name)) : null);
  return [...names]
    .filter(name => !isEncodingOf(name, names))
    .map(name => [prefix + name, once(() => sender(readAsset(name)))]);

  /** @throws Error when the file cannot be read. */
  function readAsset(name: string): Asset {
    const [identity, br, gzip] = [read(name) ?? NO_BODY, read(`${name}.br`), read(`${name}.gz`)];
    const type = contentTypeOfFile(name, identity);
    const head = headLines([
      ...common,
      ['Cache-Control', cacheControl],
      ...(br || gzip ? ([['Vary', 'Accept-Encoding']] as const) : []),
    ]);
    const revalidation = cacheControl === IMMUTABLE ? null : revalidationOf(identity, head);
    const full = (revalidation?.head ?? head) + headLines([['Content-Type', type]]);
    const plain = encodedFile(identity, full);
    const compressed = gzip ? encodedFile(gzip, `${full}Content-Encoding: gzip\r\n`) : plain;
    const smallest = br ? encodedFile(br, `${full}Content-Encoding: br\r\n`) : compressed;
    return { encodings: { identity: plain, gzip: compressed, br: smallest }, revalidation };
  }
}

function once(read: () => SendAsset): ReadAsset {
  let asset: SendAsset | undefined;
  return () => {
    try {
      asset ??= read();
    } catch {
      // The file is missing because a later build has replaced the folder. `earlier-builds.ts` answers.
    }
    return asset;
  };
}

/** Whether a file is an encoding of another file. An archive such as `data.tar.gz` is not. */
function isEncodingOf(name: string, names: ReadonlySet<string>): boolean {
  return /\.(?:br|gz)$/.test(name) && names.has(name.slice(0, -'.gz'.length));
}

/** The ETag is weak, so that one value is valid for all encodings of the file. */
function revalidationOf(body: Buffer, head: string) {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { etag, head: `${head}ETag: ${etag}\r\n` };
}

function encodedFile(body: Buffer, head: string) {
  return { body, head: `${head}Content-Length: ${body.byteLength}\r\n` };
}

function sender({ encodings, revalidation }: Asset): SendAsset {
  return (req, res, requestId) => {
    const condition = req.headers['if-none-match'];
    if (
      revalidation &&
      condition !== undefined &&
      fresh({ 'if-none-match': condition }, { etag: revalidation.etag })
    ) {
      writeReadyHead(req, res, 304, `${revalidation.head}X-Request-Id: ${requestId}\r\n`);
      res.end();
      return 0;
    }
    const { head, body } = encodings[encodingFor(req.headers['accept-encoding'])];
    writeReadyHead(req, res, 200, `${head}X-Request-Id: ${requestId}\r\n`);
    const sent = req.method === 'HEAD' ? NO_BODY : body;
    res.end(sent);
    return sent.byteLength;
  };
}

/** Lists files with forward slashes. A missing folder has no files. */
function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
  } catch {
    return [];
  }
}
