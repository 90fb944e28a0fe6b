import type { Response } from 'express';
import type { Encoding } from './accept-encoding.ts';
import { endWithoutBody } from './end-without-body.ts';

/** The policy of a file. An SVG file is a document: opened in its own tab or in a frame it may neither run scripts nor load anything. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** A body on the disk, ready to be sent. */
export interface ServedFile {
  /** Absolute path. The body is the first `bodyBytes` bytes of the file. */
  file: string;
  bodyBytes: number;
  type: string;
  etag: string;
  /** The content encoding of the body. Absent for a body as it is. */
  encoding?: Encoding;
}

/** Headers of a medium that depend on its type. */
export interface MediaHeaderOptions {
  type: string;
  /** The value of `Content-Disposition` of a file that is downloaded instead of opened on the site's own address; null for what pages show. */
  disposition: string | null;
  /** Whether the body depends on `Accept-Encoding`. */
  isCompressible: boolean;
}

/** @returns the headers of a medium, whatever file or stream its body comes from. */
export function mediaHeaders({
  type,
  disposition,
  isCompressible,
}: MediaHeaderOptions): Record<string, string> {
  return {
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': SANDBOX,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...(disposition === null ? {} : { 'Content-Disposition': disposition }),
    ...(isCompressible ? { Vary: 'Accept-Encoding' } : {}),
  };
}

/**
 * Sends a media file in a sandbox. Answers conditional and range requests.
 *
 * @param caching headers for caches, which an error must not have.
 */
export async function sendStoredFile(
  res: Response,
  { file, bodyBytes, etag, encoding }: ServedFile,
  headers: Record<string, string>,
  caching: Record<string, string>,
): Promise<void> {
  res.set({ ...headers, ETag: etag, ...(encoding ? { 'Content-Encoding': encoding } : {}) });
  if (bodyBytes === 0) {
    // `end` below is the last byte to send, so `sendFile` cannot send an empty body.
    endWithoutBody(res.set(caching));
    return;
  }
  const options = {
    end: bodyBytes - 1,
    cacheControl: false,
    lastModified: false,
    headers: caching,
    dotfiles: 'allow' as const,
  };
  await new Promise<void>((resolve, reject) => {
    res.sendFile(file, options, error => {
      if (!error || res.headersSent) return resolve();
      for (const name of Object.keys(caching)) res.removeHeader(name);
      reject(error);
    });
  });
}
