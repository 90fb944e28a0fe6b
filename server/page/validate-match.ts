import { HttpError } from '../../shared/payload/http-error.ts';
import type { PageMatch } from './page-request.ts';

/** @returns the error of a route's own `validate`; null for a match that it accepts. */
export function validationError({ route, params }: PageMatch, path: string): Error | null {
  try {
    const valid = route.validate?.(params) ?? true;
    if (valid === true) return null;
    const { statusCode = 404, statusMessage, message } = valid || {};
    return new HttpError(message ?? HttpError.notFound(path).message, statusCode, statusMessage);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
