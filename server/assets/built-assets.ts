import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import fresh from 'fresh';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import type { CacheStatus } from '../http/cache-status.ts';
import { contentTypeOfFile } from '../http/content-type.ts';
import { type Fields, headLines, writeReadyHead } from '../http/ready-head.ts';
import { encodingFor } from '../http/request/accept-encoding.ts';
import { dataHeaders } from '../http/security/security-headers.ts';

type SendAsset = (req: IncomingMessage, res: ServerResponse, requestId: string) => number;

const NO_BODY = Buffer.alloc(0);
const IMMUTABLE = 'public, max-age=31536000, immutable';
const ONE_DAY = 'public, max-age=86400';

/** Keeps `/assets/**` and `site/static` in memory. Reads each file at its first request, or by `loads`. */
export function builtAssets(distDir: string, securityHeaders: Fields, cacheStatus: CacheStatus) {
  const status = ['Cache-Status', cacheStatus.bypass] as const;
  const assets = new Map([
    // Send only the security headers for data: browsers never show these files as documents.
    ...readFolder(
      path.join(distDir, 'client/assets'),
      '/assets/',
      [...dataHeaders(securityHeaders), status],
      IMMUTABLE,
    ),
    ...readFolder(path.join(distDir, 'client/static'), '/', [...securityHeaders, status], ONE_DAY),
  ]);
  return {
    find: (url: string) => (assets.get(url) ?? assets.get(pathOf(url)))?.(),
    /** One function for each file, which reads it at the first call. Call all before a new build begins. */
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
    .map(name => [prefix + name, once(() => readAsset(name))]);

  /** @throws Error when the file cannot be read. */
  function readAsset(name: string): SendAsset {
    const [body, br, gzip] = [read(name) ?? NO_BODY, read(`${name}.br`), read(`${name}.gz`)];
    // The ETag is weak, so that one value is valid for all encodings of the file.
    const etag = cacheControl === IMMUTABLE ? null : `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
    const head = headLines([
      ...common,
      ['Cache-Control', cacheControl],
      ...(br || gzip ? ([['Vary', 'Accept-Encoding']] as const) : []),
      ...(etag === null ? [] : ([['ETag', etag]] as const)),
    ]);
    const full = head + headLines([['Content-Type', contentTypeOfFile(name, body)]]);
    const identity = encodedFile(body, full);
    const compressed = gzip ? encodedFile(gzip, `${full}Content-Encoding: gzip\r\n`) : identity;
    const smallest = br ? encodedFile(br, `${full}Content-Encoding: br\r\n`) : compressed;
    const encodings = { identity, gzip: compressed, br: smallest };
    return (req, res, requestId) => {
      const condition = req.headers['if-none-match'];
      if (etag !== null && condition !== undefined && fresh({ 'if-none-match': condition }, { etag })) {
        writeReadyHead(req, res, 304, `${head}X-Request-Id: ${requestId}\r\n`);
        res.end();
        return 0;
      }
      const encoded = encodings[encodingFor(req.headers['accept-encoding'])];
      writeReadyHead(req, res, 200, `${encoded.head}X-Request-Id: ${requestId}\r\n`);
      const sent = req.method === 'HEAD' ? NO_BODY : encoded.body;
      res.end(sent);
      return sent.byteLength;
    };
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

function encodedFile(body: Buffer, head: string) {
  return { body, head: `${head}Content-Length: ${body.byteLength}\r\n` };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
  } catch {
    return [];
  }
}

/** @throws Error if there is no build. */
export function readBuildManifest(distDir: string): BuildManifest {
  const file = path.join(distDir, 'manifest.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as BuildManifest;
  } catch (error) {
    throw new Error(`There is no build to serve: ${file} cannot be read. Run 'npm run build'.`, {
      cause: error,
    });
  }
}
