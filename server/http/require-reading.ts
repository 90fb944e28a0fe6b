import type { RequestHandler } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';

/** Refuses every method but GET and HEAD. All steps after this one answer pages, which can only be read. */
export const requireReading: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  res.set('Allow', 'GET, HEAD');
  throw new HttpError('This address can only be read.', 405);
};
