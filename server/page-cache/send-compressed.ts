import type { Request, Response } from 'express';
import { encodingFor } from '../http/request/accept-encoding.ts';
import { compress, type PageEncoding } from './encodings.ts';

/** The shortest body that is compressed. A shorter body fits into one packet. */
const MIN_BYTES = 1_024;

const compressedBodies = new WeakMap<Buffer, Map<PageEncoding, Promise<Buffer>>>();

function compressOnce(body: Buffer, encoding: PageEncoding): Promise<Buffer> {
  const known = compressedBodies.get(body) ?? new Map<PageEncoding, Promise<Buffer>>();
  const compressed = known.get(encoding) ?? compress(body, encoding, true);
  compressedBodies.set(body, known.set(encoding, compressed));
  return compressed;
}

/** Sends a body that is not stored. HEAD gets the headers of GET (RFC 9110, 9.3.2). */
export async function sendCompressed(req: Request, res: Response, type: string, body: Buffer): Promise<void> {
  res.vary('Accept-Encoding');
  const encoding = body.byteLength < MIN_BYTES ? 'identity' : encodingFor(req.headers['accept-encoding']);
  const sent = encoding === 'identity' ? body : await compressOnce(body, encoding);
  if (res.destroyed) return;
  res.setHeader('Content-Type', type);
  if (encoding !== 'identity') res.setHeader('Content-Encoding', encoding);
  res.setHeader('Content-Length', sent.byteLength);
  if (req.method === 'HEAD') res.end();
  else res.end(sent);
}

export function sendCompressedJson(req: Request, res: Response, value: unknown): Promise<void> {
  return sendCompressed(req, res, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(value)));
}
