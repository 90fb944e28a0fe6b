import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { headersOf } from './media-type.ts';

/** A medium that is sent while it is fetched: the disk cannot keep it, or its origin forbids it. */
export interface StreamedMedia {
  body: Readable;
  type: string;
  /** The size that the origin declares; null without one. */
  bodyBytes: number | null;
  /** The origin's directives against storing it, such as `no-store`. */
  refusal: string | null;
}

/** Short, because the answer has no ETag for a revalidation. */
const CACHE_CONTROL = 'public, max-age=60';

/** Sends without an ETag and without ranges. The connection ends if the origin fails on the way. */
export async function sendStreamedMedia(
  res: Response,
  { body, type, bodyBytes, refusal }: StreamedMedia,
): Promise<void> {
  res.set({ ...headersOf(type, res.req.path), 'Cache-Control': refusal ?? CACHE_CONTROL });
  if (bodyBytes !== null) res.set('Content-Length', String(bodyBytes));
  if (res.req.method === 'HEAD') {
    body.destroy();
    res.end();
    return;
  }
  // The client or the origin has left. This error needs no log entry: the request has one.
  await pipeline(body, res).catch(() => {});
}
