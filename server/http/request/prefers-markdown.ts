import type { IncomingMessage } from 'node:http';
import { type Request, request } from 'express';

export const MARKDOWN_TYPE = 'text/markdown';

/** Whether a client prefers Markdown to HTML (RFC 9110, 12.5.1). No browser accepts Markdown. */
export function prefersMarkdown(req: IncomingMessage): boolean {
  // Search the header for the type first, because this runs for each cache hit.
  if (!req.headers.accept?.includes(MARKDOWN_TYPE)) return false;
  return request.accepts.call(req as Request, 'text/html', MARKDOWN_TYPE) === MARKDOWN_TYPE;
}
