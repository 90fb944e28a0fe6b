import type { Request, RequestHandler } from 'express';
import { saidError } from '../errors.ts';

/** @returns whether a request only reads: GET or HEAD. */
export function isReading({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Refuses every method but GET and HEAD. All steps after this one answer pages, which can only be read. */
export const requireReading: RequestHandler = (req, res, next) => {
  if (isReading(req)) return next();
  res.set('Allow', 'GET, HEAD');
  throw saidError('onlyReading', 405);
};
