import { HttpError } from '../../payload/http-error.ts';
import type { RouteMiddleware } from './route-middleware.ts';

/** Answers 404 when the category in the path does not exist. */
export const checkBlogCategory: RouteMiddleware = async (to, _from, context) =>
  (await context.hasCategory(to.params.category ?? '')) || HttpError.notFound(to.path);
