import path from 'node:path';
import { create } from 'content-disposition';
import type { Response } from 'express';
import { extension as extensionOf, lookup } from 'mime-types';
import { UNPRINTABLE } from '../ops/one-line.ts';
import { endWithoutBody } from './end-without-body.ts';
import type { Encoding } from './request/accept-encoding.ts';

/** An SVG file in a tab or a frame is a document. It must not run scripts or load anything. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

export interface ServedFile {
  /** Absolute path. The body is the first `bodyBytes` bytes of the file. */
  file: string;
  bodyBytes: number;
  type: string;
  etag: string;
  encoding?: Encoding;
}

export interface MediaHeaderOptions {
  type: string;
  /** `Content-Disposition` of a file to download; null for a file that pages show. */
  disposition: string | null;
  isCompressible: boolean;
}

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

/** Sends a media file in a sandbox. @param caching headers for caches, which an error must not have. */
export async function sendStoredFile(
  res: Response,
  { file, bodyBytes, etag, encoding }: ServedFile,
  headers: Record<string, string>,
  caching: Record<string, string>,
): Promise<void> {
  res.set({ ...headers, ETag: etag, ...(encoding ? { 'Content-Encoding': encoding } : {}) });
  if (bodyBytes === 0) {
    // `sendFile` cannot send an empty body, because `end` below is the position of its last byte.
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

/** Characters that a visitor's file system refuses or reads as part of a path. */
const NOT_IN_NAMES = /["*/:<>?\\|]/g;
/** In characters. File systems allow 255 bytes, and a character has up to four bytes in UTF-8. */
const LONGEST_NAME = 60;

/**
 * `Content-Disposition` of a download (RFC 6266, RFC 8187), with a name that cannot mislead.
 * @param address a path that can be decoded, such as `/uploads/price%20list.pdf`.
 */
export function attachment(address: string, type: string): string {
  const segment = decodeURIComponent(address.slice(address.lastIndexOf('/') + 1));
  const name = segment
    .replace(UNPRINTABLE, '')
    .replace(NOT_IN_NAMES, '-')
    .replace(/^[.\s]+/, '');
  const extension = path.extname(name);
  const isOfType = lookup(extension) === type;
  const stem = [...(isOfType ? name.slice(0, -extension.length) : name)].slice(0, LONGEST_NAME).join('');
  return create(`${stem || 'file'}${isOfType ? extension : `.${extensionOf(type) || 'bin'}`}`);
}
