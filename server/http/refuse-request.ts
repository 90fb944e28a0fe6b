import type { RequestHandler } from 'express';
import { scopeOf } from './request-scope.ts';

/** Throws the error of a refused request (`refusal.ts`). The listener answers no refused request from the cache. */
export const refuseRequest: RequestHandler = (_req, res, next) => {
  const { refusal } = scopeOf(res);
  if (refusal) throw refusal;
  next();
};
