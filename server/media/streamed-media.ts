import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { mediaHeaders } from '../http/send-file.ts';

/** A medium that is sent while it is fetched, because the disk cannot keep it. */
export interface StreamedMedia {
  body: Readable;
  type: string;
  /** The length of the body in bytes, as the origin gives it; null when it does not. */
  bodyBytes: number | null;
}

/** How long caches may keep a streamed medium. It is short, because the answer has no ETag for a revalidation. */
const CACHE_CONTROL = 'public, max-age=60';

/** Sends a medium while it is fetched, without an ETag and without ranges. An origin that fails meanwhile ends the connection. */
export async function sendStreamedMedia(
  res: Response,
  { body, type, bodyBytes }: StreamedMedia,
): Promise<void> {
  res.set({ ...mediaHeaders(type), 'Cache-Control': CACHE_CONTROL });
  if (bodyBytes !== null) res.set('Content-Length', String(bodyBytes));
  if (res.req.method === 'HEAD') {
    body.destroy();
    res.end();
    return;
  }
  // The client or the origin has gone. The connection is closed, and the log has the request's own line.
  await pipeline(body, res).catch(() => {});
}
