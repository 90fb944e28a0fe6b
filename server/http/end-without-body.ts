import type { Response } from 'express';

/** Sends an answer without a body. Node names the length 0 in the answer to GET alone, and HEAD has the same headers (RFC 9110, 9.3.2). */
export function endWithoutBody(res: Response): void {
  res.set('Content-Length', '0').end();
}
