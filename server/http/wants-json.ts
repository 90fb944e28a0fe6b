import type { Request } from 'express';

/** Whether an error is to be told to a program: it asks for JSON by its address, or does not take HTML. */
export function wantsJson(req: Request): boolean {
  return req.path.endsWith('.json') || req.path.startsWith('/api/') || !req.accepts('html');
}
