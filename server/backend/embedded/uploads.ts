import { join } from 'node:path';
import express, { type RequestHandler } from 'express';

/**
 * Serves the files of `content/uploads` with content types, `ETag`, `Last-Modified`, conditional and range requests. Hidden
 * files and paths that lead out of the folder are a 404.
 */
export function serveUploads(contentDir: string): RequestHandler {
  return express.static(join(contentDir, 'uploads'), {
    dotfiles: 'ignore',
    index: false,
    redirect: false,
    setHeaders: response => response.setHeader('X-Content-Type-Options', 'nosniff'),
  });
}
