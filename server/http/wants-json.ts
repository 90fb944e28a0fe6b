import type { Request } from 'express';

/** @returns whether an error is answered in JSON: the address asks for JSON, or the client does not accept HTML. */
export function wantsJson(req: Request): boolean {
  return req.path.endsWith('.json') || req.path.startsWith('/api/') || !req.accepts('html');
}
