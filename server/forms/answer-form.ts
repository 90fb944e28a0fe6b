import type { Request, Response } from 'express';
import type { FormName, FormState } from '../../shared/forms/form-state.ts';
import { isPageForm, placeOf } from '../../shared/forms/page-form.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';
import { safeRedirectTarget } from '../addresses/safe-address.ts';
import { answerWithPage, type FormPageParts, STATUSES, setStatus } from './answer-with-page.ts';

export interface InvalidForm {
  status: 'invalid';
  message: string;
  errors: Readonly<Record<string, string>>;
  counted?: 'trapped' | 'too-soon';
}

export type FormOutcome =
  | { status: 'sent'; form: FormName }
  | InvalidForm
  | { status: 'limited' | 'failed'; message: string };

const SECTIONS: Readonly<Partial<Record<FormName, string>>> = { contact: 'contacts', subscribe: 'subscribe' };

/**
 * Answers the page's script in JSON. Without JavaScript, redirects an accepted POST request to the form's
 * page, so that a reload does not send it again. Answers a refused one with that page, which shows the errors
 * and keeps the entered values.
 */
export async function answerForm(
  parts: FormPageParts,
  req: Request,
  res: Response,
  values: Readonly<Record<string, string>>,
  outcome: FormOutcome,
): Promise<void> {
  const counted = (outcome.status === 'invalid' && outcome.counted) || outcome.status;
  const form = formOf(values);
  parts.metrics.count('site_forms_total', isPageForm(form) ? 'page-form' : form, counted);
  res.set('Cache-Control', 'no-store');
  if (req.is('application/json') || !req.accepts('html')) {
    answerJson(res, outcome);
    return;
  }
  const { path, query } = pageOfForm(parts.routes, req, values);
  if (outcome.status === 'sent') {
    query.set('sent', placeOf(outcome.form));
    res
      .status(303)
      .location(`${path}?${query}#${SECTIONS[outcome.form] ?? outcome.form}`)
      .end();
    return;
  }
  const formState: FormState = {
    form: placeOf(form),
    status: outcome.status,
    message: outcome.message,
    errors: outcome.status === 'invalid' ? outcome.errors : {},
    values,
  };
  const search = query.size > 0 ? `?${query}` : '';
  await answerWithPage(parts, req, res, { path, search, query }, formState);
}

function formOf({ form }: Readonly<Record<string, string>>): FormName {
  if (isPageForm(form)) return form;
  return form === 'subscribe' ? 'subscribe' : 'contact';
}

function answerJson(res: Response, outcome: FormOutcome): void {
  setStatus(res, STATUSES[outcome.status]);
  if (outcome.status === 'sent') res.json({ sent: outcome.form });
  else if (outcome.status === 'invalid') res.json({ message: outcome.message, errors: outcome.errors });
  else res.json({ message: outcome.message });
}

/**
 * @returns the address in the form's field `page`, with the query of `Referer`. Other sites' addresses become
 *   the home page, because the response may redirect there.
 */
export function pageOfForm(
  routes: readonly RouteDefinition[],
  req: Request,
  values: Readonly<Record<string, string>>,
) {
  const target = safeRedirectTarget(values.page?.split(/[?#]/, 1)[0]);
  const match = target && !target.external ? matchRoute(routes, target.to) : null;
  if (!target || !match || match.route.opensByToken) return { path: '/', query: new URLSearchParams() };
  const referrer = URL.parse(req.get('referer') ?? '');
  const query = new URLSearchParams();
  if (referrer?.host === req.host && referrer?.pathname === target.to) {
    for (const name of match.route.query) {
      const value = referrer.searchParams.get(name);
      if (value !== null) query.set(name, value);
    }
  }
  return { path: target.to, query };
}
