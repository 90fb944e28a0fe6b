import type { RequestHandler } from 'express';
import type { FormState } from '../../shared/form-state.ts';
import { PageFailure } from '../../shared/page-failure.ts';
import { PAYLOAD_SUFFIX } from '../../shared/payload-address.ts';
import { scopeOf } from '../request-scope.ts';

/** What is still unanswered here asks for a page, or for its payload. A form post that ended badly has said which already. */
export const pageRequest: RequestHandler = (req, res, next) => {
  const scope = scopeOf(res);
  if (scope.page) return next();
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.set('Allow', 'GET, HEAD');
    throw new PageFailure('This address can only be read.', 405);
  }
  const [path = '/', ...rest] = req.originalUrl.split('?');
  const query = new URLSearchParams(rest.join('?'));
  const isPayload = path.endsWith(PAYLOAD_SUFFIX);
  if (isPayload) query.delete('_b');
  scope.page = {
    form: isPayload ? 'payload' : 'page',
    path: isPayload ? path.slice(0, -PAYLOAD_SUFFIX.length) || '/' : path,
    // A page keeps its query to the letter, so that a redirect does not rewrite it.
    search: isPayload ? withQuestionMark(query.toString()) : withQuestionMark(rest.join('?')),
    query,
    match: null,
    formState: sentForm(query.get('sent')),
  };
  next();
};

/** `?sent=contact`: where a form post without JavaScript ends, to be thanked for. */
function sentForm(form: string | null): FormState | null {
  if (form !== 'contact' && form !== 'subscribe') return null;
  return { form, status: 'sent', message: null, errors: {}, values: {} };
}

function withQuestionMark(query: string): string {
  return query && `?${query}`;
}
