import type { Response } from 'express';

/** Node writes the length 0 for GET alone, and HEAD has the same headers (RFC 9110, 9.3.2). */
export function endWithoutBody(res: Response): void {
  res.set('Content-Length', '0').end();
}
