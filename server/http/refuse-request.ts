import type { RequestHandler } from 'express';
import { scopeOf } from './request-scope.ts';

/** Answers a request that `openRequest` has refused. The listener keeps such requests from stored pages, too. */
export const refuseRequest: RequestHandler = (_req, res, next) => {
  const { refusal } = scopeOf(res);
  if (refusal) throw refusal;
  next();
};
