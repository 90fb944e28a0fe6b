import type { Request } from 'express';

/** Whether an error is answered in JSON. */
export function wantsJson(req: Request): boolean {
  return req.path.endsWith('.json') || req.path.startsWith('/api/') || !req.accepts('html');
}
