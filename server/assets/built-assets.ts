import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { type Encoding, encodingFor } from '../http/accept-encoding.ts';
import { BYPASS_STATUS } from '../http/cache-status.ts';
import { contentTypeOf } from '../http/content-type.ts';
import type { Site } from '../site.ts';

/** A file of the build in one encoding: its bytes and its headers, names and values in turn. */
interface EncodedFile {
  head: readonly string[];
  body: Buffer;
}

type Asset = Readonly<Record<Encoding, EncodedFile>>;

/** Sends a file of the build. @returns the bytes of the body that was sent. */
export type SendAsset = (req: IncomingMessage, res: ServerResponse, requestId: string) => number;

const NO_BODY = Buffer.alloc(0);
const IMMUTABLE = 'public, max-age=31536000, immutable';
const ONE_DAY = 'public, max-age=86400';

/**
 * Reads the files of the build into memory: `/assets/**`, whose names contain a hash of the content, and a few files with fixed names
 * such as the favicon. The build has compressed them.
 *
 * @returns a function that finds the file of a path.
 */
export function builtAssets({
  distDir,
  securityHeaders,
}: Pick<Site, 'distDir' | 'securityHeaders'>): (path: string) => SendAsset | undefined {
  const common = [...securityHeaders.flat(), 'Cache-Status', BYPASS_STATUS];
  const assets = new Map([
    ...readFolder(path.join(distDir, 'client/assets'), '/assets/', [...common, 'Cache-Control', IMMUTABLE]),
    ...readFolder(path.join(distDir, 'client/static'), '/', [...common, 'Cache-Control', ONE_DAY]),
  ]);
  return url => assets.get(url);
}

function readFolder(
  folder: string,
  prefix: string,
  common: readonly string[],
): [address: string, send: SendAsset][] {
  const names = new Set(listFolder(folder));
  const read = (name: string) => (names.has(name) ? readFileSync(path.join(folder, name)) : null);
  return [...names]
    .filter(name => !/\.(?:br|gz|map)$/.test(name))
    .map(name => {
      const [identity, br, gzip] = [read(name), read(`${name}.br`), read(`${name}.gz`)];
      const head = [...common, 'Content-Type', contentTypeOf(name)];
      if (br || gzip) head.push('Vary', 'Accept-Encoding');
      const plain = encodedFile(identity ?? NO_BODY, head);
      const compressed = gzip ? encodedFile(gzip, [...head, 'Content-Encoding', 'gzip']) : plain;
      const smallest = br ? encodedFile(br, [...head, 'Content-Encoding', 'br']) : compressed;
      return [prefix + name, sender({ identity: plain, gzip: compressed, br: smallest })];
    });
}

function encodedFile(body: Buffer, head: readonly string[]): EncodedFile {
  return { body, head: [...head, 'Content-Length', String(body.byteLength)] };
}

function sender(asset: Asset): SendAsset {
  return (req, res, requestId) => {
    const { head, body } = asset[encodingFor(req.headers['accept-encoding'])];
    res.writeHead(200, head.concat('X-Request-Id', requestId));
    const sent = req.method === 'HEAD' ? NO_BODY : body;
    res.end(sent);
    return sent.byteLength;
  };
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
