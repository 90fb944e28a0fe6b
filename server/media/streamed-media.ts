import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { setFileHeaders } from '../http/send-file.ts';
import { headersOf } from './media-type.ts';

/** A medium sent while it is fetched, because the disk or the origin prevents storage. */
export interface StreamedMedia {
  body: Readable;
  type: string;
  /** The size declared by the origin; null if it declares none. */
  bodyBytes: number | null;
  /** The origin's directives that forbid storing, such as `no-store`; null without them. */
  refusal: string | null;
}

/** A short lifetime, because an answer without ETag cannot be revalidated. */
const CACHE_CONTROL = 'public, max-age=60';
const MAX_LISTENERS = 20;

/** Sends without ETag and ranges. Cuts the connection if the origin fails. */
export async function sendStreamedMedia(
  res: Response,
  { body, type, bodyBytes, refusal }: StreamedMedia,
): Promise<void> {
  setFileHeaders(res, headersOf(type, res.req.path));
  res.set('Cache-Control', refusal ?? CACHE_CONTROL);
  if (bodyBytes !== null) res.set('Content-Length', String(bodyBytes));
  if (res.req.method === 'HEAD') {
    body.destroy();
    res.end();
    return;
  }
  // Ignore errors of a connection, because the access log has an entry for the request.
  // The listeners of a request and those of the pipeline are more than ten, which Node takes for a leak.
  res.setMaxListeners(MAX_LISTENERS);
  await pipeline(body, res).catch(() => {});
}
