import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { contentTypeOf } from '../content-type.ts';
import type { Site } from '../site.ts';

interface Asset {
  type: string;
  cacheControl: string;
  identity: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

const IMMUTABLE = 'public, max-age=31536000, immutable';
const A_DAY = 'public, max-age=86400';

/**
 * Serves what the build has made: `/assets/**` by names that hold a hash of the content, and the few files such as the
 * favicon that have fixed names. All of it is small and kept in memory, compressed beforehand.
 */
export function staticAssets({ distDir, keptAssets }: Site): RequestHandler {
  const assets = new Map([
    ...readFolder(path.join(distDir, 'client/assets'), '/assets/', IMMUTABLE),
    ...readFolder(path.join(distDir, 'client/static'), '/', A_DAY),
  ]);
  return async (req, res, next) => {
    const asset = assets.get(req.path);
    if (asset && (req.method === 'GET' || req.method === 'HEAD')) return sendAsset(asset, req, res);
    if (!req.path.startsWith('/assets/')) return next();
    const kept = await keptAssets.find(req.path.slice('/assets/'.length));
    if (kept) return sendAsset(uncompressed(req.path, kept), req, res);
    // An old page asks for a chunk of a build long gone: that is no page of ours, and nothing to remember.
    res.status(404).set('Cache-Control', 'no-store').type('text/plain').send('Not found');
  };
}

function sendAsset(asset: Asset, req: Request, res: Response): void {
  // Asked one by one: browsers name gzip before br and weigh both alike, and br is smaller.
  const accepts = (encoding: string) => req.acceptsEncodings(encoding) !== false;
  const encoding = asset.br && accepts('br') ? 'br' : asset.gzip && accepts('gzip') ? 'gzip' : null;
  const body = encoding === 'br' ? asset.br : encoding === 'gzip' ? asset.gzip : asset.identity;
  res.setHeader('Content-Type', asset.type);
  res.setHeader('Cache-Control', asset.cacheControl);
  if (asset.br || asset.gzip) res.setHeader('Vary', 'Accept-Encoding');
  if (encoding) res.setHeader('Content-Encoding', encoding);
  res.setHeader('Content-Length', (body ?? asset.identity).byteLength);
  res.end(body ?? asset.identity);
}

/** Of earlier builds only the plain form is kept: they are asked for rarely. */
function uncompressed(name: string, identity: Buffer): Asset {
  return { type: contentTypeOf(name), cacheControl: IMMUTABLE, identity, br: null, gzip: null };
}

function readFolder(folder: string, prefix: string, cacheControl: string): [address: string, asset: Asset][] {
  const names = new Set(listFolder(folder));
  const compressed = (name: string) => (names.has(name) ? readFileSync(path.join(folder, name)) : null);
  return [...names]
    .filter(name => !/\.(?:br|gz|map)$/.test(name))
    .map(name => [
      prefix + name,
      {
        type: contentTypeOf(name),
        cacheControl,
        identity: readFileSync(path.join(folder, name)),
        br: compressed(`${name}.br`),
        gzip: compressed(`${name}.gz`),
      },
    ]);
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
