import type { Request, Response } from 'express';
import type { FormName, FormState } from '../../shared/forms/form-state.ts';
import { RETRY_AFTER_S } from '../errors.ts';
import { answerWithPage, type FormPageSite } from './answer-with-page.ts';
import { pageOfForm } from './page-of-form.ts';

/** The outcome of a form post. */
export type FormOutcome =
  | { status: 'sent'; form: FormName }
  | { status: 'invalid'; message: string; errors: Readonly<Record<string, string>> }
  | { status: 'limited' | 'failed'; message: string };

/** The HTTP status of each outcome when the answer is JSON. */
const STATUSES = { sent: 202, invalid: 422, limited: 429, failed: 503 } as const;

/** The ids of the sections that contain the forms: `contacts-block.tsx`, `subscribe-block.tsx`. */
const SECTIONS: Readonly<Record<FormName, string>> = { contact: 'contacts', subscribe: 'subscribe' };

/**
 * Answers a form post. The page's script gets JSON. A browser without JavaScript gets a redirect to the page of the form once the message
 * is sent, so that a reload does not send it twice; otherwise it gets that page with the errors and all typed words.
 */
export async function answerForm(
  site: FormPageSite,
  req: Request,
  res: Response,
  values: Readonly<Record<string, string>>,
  outcome: FormOutcome,
): Promise<void> {
  res.set('Cache-Control', 'no-store');
  if (req.is('application/json') || !req.accepts('html')) {
    answerJson(res, outcome);
    return;
  }
  const { path, query } = pageOfForm(site.routes, req, values);
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
  await answerWithPage(site, req, res, { path, search, query }, formState);
}

/** @returns the form that a post names; the contact form by default. */
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
