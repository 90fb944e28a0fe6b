import type { IncomingMessage } from 'node:http';
import { type Request, request } from 'express';

/** Whether to answer an error in JSON. @param req a request that may not have passed through Express. */
export function wantsJson(req: IncomingMessage): boolean {
  const path = (req.url ?? '').split('?', 1)[0] ?? '';
  return path.endsWith('.json') || path.startsWith('/api/') || !request.accepts.call(req as Request, 'html');
}
