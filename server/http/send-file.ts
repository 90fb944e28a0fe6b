import type { Response } from 'express';

/** The policy of a file. An SVG file is a document: opened in its own tab it may neither run scripts nor load anything. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A body on the disk, ready to be sent. */
export interface ServedFile {
  /** Absolute path. The body is the first `bodyBytes` bytes of the file. */
  file: string;
  bodyBytes: number;
  type: string;
  etag: string;
}

/** @returns the headers of a medium, whatever file or stream its body comes from. */
export function mediaHeaders(type: string): Record<string, string> {
  return {
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': SANDBOX,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

/** Sends a media file in a sandbox. Answers conditional and range requests. */
export async function sendStoredFile(
  res: Response,
  { file, bodyBytes, type, etag }: ServedFile,
  cacheControl: string,
): Promise<void> {
  res.set({ ...mediaHeaders(type), ETag: etag });
  if (bodyBytes === 0) {
    // `end` below is the last byte to send, so `sendFile` cannot send an empty body.
    res.set('Cache-Control', cacheControl).end();
    return;
  }
  const options = {
    end: bodyBytes - 1,
    cacheControl: false,
    lastModified: false,
    headers: { 'Cache-Control': cacheControl },
    dotfiles: 'allow' as const,
  };
  await new Promise<void>((resolve, reject) => {
    res.sendFile(file, options, error => (error && !res.headersSent ? reject(error) : resolve()));
  });
}
