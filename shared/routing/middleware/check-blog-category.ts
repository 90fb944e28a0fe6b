import { HttpError } from '../../payload/http-error.ts';
import type { RouteMiddleware } from './route-middleware.ts';

/** The category of the address must be one of the blog's categories, else 404. */
export const checkBlogCategory: RouteMiddleware = async (to, _from, context) =>
  (await context.hasCategory(to.params.category ?? '')) || HttpError.notFound(to.path);
