import { HttpError } from '../../shared/payload/http-error.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import type { PageStep } from './page-job.ts';

/** Finds the route of the path and asks the route's own validation. */
export const matchPage: PageStep = ({ routes }, { request }) => {
  request.match = matchRoute(routes, request.path);
  if (!request.match) throw HttpError.notFound(request.path);
  const { route, params } = request.match;
  const valid = route.validate?.(params) ?? true;
  if (valid === true) return undefined;
  const { statusCode = 404, statusMessage, message } = valid || {};
  throw new HttpError(message ?? HttpError.notFound(request.path).message, statusCode, statusMessage);
};
