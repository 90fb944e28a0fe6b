import type { Response } from 'express';

/** An SVG file is a document: opened by itself it may neither run nor load anything. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A file on the disk, ready to be sent. */
export interface ServedFile {
  /** Absolute path. */
  file: string;
  type: string;
  etag: string;
}

/** Sends a file of the content: conditional and range requests, and whatever it is, a policy under which it can do nothing. */
export async function sendStoredFile(
  res: Response,
  { file, type, etag }: ServedFile,
  cacheControl: string,
): Promise<void> {
  res.set({
    'Content-Type': type,
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': SANDBOX,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  const options = {
    cacheControl: false,
    lastModified: false,
    headers: { 'Cache-Control': cacheControl },
    dotfiles: 'allow' as const,
  };
  await new Promise<void>((resolve, reject) => {
    res.sendFile(file, options, error => (error && !res.headersSent ? reject(error) : resolve()));
  });
}
