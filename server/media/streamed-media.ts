import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { headersOf } from './media-type.ts';

/** A medium that is sent while it is fetched, because the disk cannot keep it, or because its origin forbids it. */
export interface StreamedMedia {
  body: Readable;
  type: string;
  /** The length of the body in bytes, as the origin gives it; null when it does not. */
  bodyBytes: number | null;
  /** The origin's directives against storing it, such as `no-store`; null without one. */
  refusal: string | null;
}

/** How long caches may keep a streamed medium. It is short, because the answer has no ETag for a revalidation. */
const CACHE_CONTROL = 'public, max-age=60';

/** Sends a medium while it is fetched, without an ETag and without ranges. An origin that fails meanwhile ends the connection. */
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
  // The client or the origin has gone. The connection is closed, and the log has the request's own line.
  await pipeline(body, res).catch(() => {});
}
