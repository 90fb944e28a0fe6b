import type { Request } from 'express';

/** Whether to answer an error in JSON. */
export function wantsJson(req: Request): boolean {
  return req.path.endsWith('.json') || req.path.startsWith('/api/') || !req.accepts('html');
}
