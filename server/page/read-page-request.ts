import type { RequestHandler } from 'express';
import type { FormState } from '../../shared/forms/form-state.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import { scopeOf } from '../http/request-scope.ts';
import { pageRequestOf } from './find-page.ts';

/** What is still unanswered here asks for a page, or for its payload. A form post that ended badly has said which already. */
export const pageRequest: RequestHandler = (req, res, next) => {
  const scope = scopeOf(res);
  if (scope.page) return next();
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.set('Allow', 'GET, HEAD');
    throw new HttpError('This address can only be read.', 405);
  }
  const request = pageRequestOf(req.originalUrl);
  scope.page = { ...request, formState: sentForm(request.query.get('sent')) };
  next();
};

/** `?sent=contact`: where a form post without JavaScript ends, to be thanked for. */
function sentForm(form: string | null): FormState | null {
  if (form !== 'contact' && form !== 'subscribe') return null;
  return { form, status: 'sent', message: null, errors: {}, values: {} };
}
