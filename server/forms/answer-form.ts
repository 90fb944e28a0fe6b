import type { NextFunction, Request, Response } from 'express';
import type { FormName, FormState } from '../../shared/forms/form-state.ts';
import { RETRY_AFTER_S } from '../errors.ts';
import { scopeOf } from '../http/request-scope.ts';
import type { Site } from '../site.ts';
import { pageOfForm } from './page-of-form.ts';

/** What became of a post. */
export type FormOutcome =
  | { status: 'sent'; form: FormName }
  | { status: 'invalid'; message: string; errors: Readonly<Record<string, string>> }
  | { status: 'limited' | 'failed'; message: string };

/** The HTTP status of each outcome, for a program; a browser is led to a page. */
const STATUSES = { sent: 202, invalid: 422, limited: 429, failed: 503 } as const;

/** The section that each form stands in, by its id: `contacts-block.tsx`, `subscribe-block.tsx`. */
const SECTIONS: Readonly<Record<FormName, string>> = { contact: 'contacts', subscribe: 'subscribe' };

/**
 * Answers a form post: the page's script in JSON; a browser without script by a redirect to the page that the form stood
 * on, so that a reload does not send twice, or by that page with its errors and all that was typed.
 */
export function answerForm(
  site: Site,
  req: Request,
  res: Response,
  next: NextFunction,
  values: Readonly<Record<string, string>>,
  outcome: FormOutcome,
): void {
  res.set('Cache-Control', 'no-store');
  if (req.is('application/json') || !req.accepts('html')) {
    answerJson(res, outcome);
    return;
  }
  const { path, query } = pageOfForm(site, req, values);
  if (outcome.status === 'sent') {
    query.set('sent', outcome.form);
    res.status(303).location(`${path}?${query}#${SECTIONS[outcome.form]}`).end();
    return;
  }
  const formState: FormState = {
    form: formOf(values),
    status: outcome.status,
    message: outcome.message,
    errors: outcome.status === 'invalid' ? outcome.errors : {},
    values,
  };
  const search = query.size > 0 ? `?${query}` : '';
  scopeOf(res).page = { form: 'page', path, search, query, match: null, formState };
  // What is left of this route is not for an answer that has been found.
  next('route');
}

/** The form that a post says it is. */
function formOf({ form }: Readonly<Record<string, string>>): FormName {
  return form === 'subscribe' ? 'subscribe' : 'contact';
}

function answerJson(res: Response, outcome: FormOutcome): void {
  res.status(STATUSES[outcome.status]);
  if (outcome.status === 'failed') res.set('Retry-After', String(RETRY_AFTER_S));
  if (outcome.status === 'sent') res.json({ sent: outcome.form });
  else if (outcome.status === 'invalid') res.json({ message: outcome.message, errors: outcome.errors });
  else res.json({ message: outcome.message });
}
