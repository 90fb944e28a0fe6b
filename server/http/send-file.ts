import path from 'node:path';
import { create } from 'content-disposition';
import type { Response } from 'express';
import { extension as extensionOf, lookup } from 'mime-types';
import { UNPRINTABLE } from '../ops/one-line.ts';
import { endWithoutBody } from './end-without-body.ts';
import type { Encoding } from './request/accept-encoding.ts';
import { OF_DOCUMENTS } from './security/security-headers.ts';

/** A policy for files. In its own tab, an SVG file is a document. It must not run scripts or load files. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

export interface ServedFile {
  /** The absolute path. The body is the first `bodyBytes` bytes of the file. */
  file: string;
  bodyBytes: number;
  type: string;
  etag: string;
  encoding?: Encoding;
}

interface MediaHeaderOptions {
  type: string;
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

const BEYOND_NOSNIFF = [...OF_DOCUMENTS, 'Content-Security-Policy', 'Cross-Origin-Resource-Policy'];

/**
 * Sets the headers of a file. A bitmap runs no code, so `nosniff` is the only security header that it needs.
 * @returns a function that restores the other security headers for an error response.
 */
export function setFileHeaders(res: Response, headers: Record<string, string>): () => void {
  const before = BEYOND_NOSNIFF.flatMap(name => {
    const value = res.getHeader(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  res.set(headers);
  const type = headers['Content-Type'] ?? '';
  if (!type.startsWith('image/') || type.startsWith('image/svg')) return () => {};
  for (const name of BEYOND_NOSNIFF) res.removeHeader(name);
  return () => {
    for (const [name, value] of before) res.setHeader(name, value);
  };
}

export async function sendStoredFile(
  res: Response,
  { file, bodyBytes, etag, encoding }: ServedFile,
  headers: Record<string, string>,
  caching: Record<string, string>,
): Promise<void> {
  const restore = setFileHeaders(res, headers);
  res.set({ ETag: etag, ...(encoding ? { 'Content-Encoding': encoding } : {}) });
  if (bodyBytes === 0) {
    // End here, because `sendFile` needs the position of the last byte, which an empty body lacks.
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
      restore();
      reject(error);
    });
  });
}

const NOT_IN_NAMES = /["*/:<>?\\|]/g;
/** The longest name, in characters. File systems allow 255 bytes, and a character has up to four. */
const LONGEST_NAME = 60;

/**
 * Writes the `Content-Disposition` of a download (RFC 6266, RFC 8187) with a safe name.
 * @param address a decodable path, such as `/uploads/price%20list.pdf`.
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
