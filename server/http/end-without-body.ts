import type { Response } from 'express';

/** Ends with length 0. Node writes it for GET only, and HEAD needs the same headers (RFC 9110, 9.3.2). */
export function endWithoutBody(res: Response): void {
  res.set('Content-Length', '0').end();
}
