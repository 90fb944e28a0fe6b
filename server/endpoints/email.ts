import express, { type Response, Router } from 'express';
import { z } from 'zod';
import type { FormName, FormState } from '../../shared/form-state.ts';
import { matchRoute } from '../../shared/match-route.ts';
import { safeRedirectTarget } from '../content/safe-address.ts';
import { BackendError } from '../errors.ts';
import type { PageRequest } from '../page/page-job.ts';
import { scopeOf } from '../request-scope.ts';
import type { Site } from '../site.ts';

/** A message larger than this is refused with 413. */
const BODY_LIMIT = '64kb';
/** Line breaks are welcome in the message alone: anywhere else they could become a header of the e-mail. */
const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Please use at most ${max} characters.`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the control characters that are refused.
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'Please remove line breaks and control characters.');
const email = oneLine(254).regex(
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  'Please enter an e-mail address such as name@example.com.',
);
const idempotencyKey = z.uuid().optional();

const messageSchema = z.discriminatedUnion('form', [
  z.object({
    form: z.literal('contact'),
    name: oneLine(120).min(1, 'Please enter your name.'),
    email,
    company: oneLine(200).optional(),
    topic: oneLine(200).optional(),
    message: z
      .string()
      .trim()
      .min(1, 'Please write a message.')
      .max(5_000, 'Please use at most 5,000 characters.'),
    idempotencyKey,
  }),
  z.object({ form: z.literal('subscribe'), email, idempotencyKey }),
]);

/** The section that each form stands in, by its id: `contacts-block.tsx`, `subscribe-block.tsx`. */
const SECTIONS: Readonly<Record<FormName, string>> = { contact: 'contacts', subscribe: 'subscribe' };

type Outcome =
  | { kind: 'sent'; form: FormName }
  | { kind: 'invalid'; message: string; errors: Record<string, string> }
  | { kind: 'failed'; message: string };

/**
 * `POST /api/email/send`: takes the contact and the subscribe form as JSON or as a plain form post and hands the message
 * to the content backend. Without JavaScript the answer is the page that the form stood on.
 */
export function emailForms(site: Site): Router {
  const router = Router();
  router.post(
    '/api/email/send',
    express.json({ limit: BODY_LIMIT }),
    express.urlencoded({ limit: BODY_LIMIT, extended: false }),
    async (req, res, next) => {
      const values = textValues(req.body);
      const outcome = await send(site, values, res);
      if (req.is('application/json')) return answerJson(res, outcome);
      if (outcome.kind === 'sent') return answerWithRedirect(site, res, values, outcome.form);
      scopeOf(res).page = pageOfForm(site, values, outcome);
      next();
    },
  );
  return router;
}

async function send({ content }: Site, values: Record<string, string>, res: Response): Promise<Outcome> {
  // A person does not see this field. A program that fills it in is told that all went well.
  if (values.website) return { kind: 'sent', form: values.form === 'subscribe' ? 'subscribe' : 'contact' };
  const decoded = messageSchema.safeParse(values);
  if (!decoded.success) {
    const errors = Object.fromEntries(
      decoded.error.issues.toReversed().map(issue => [String(issue.path[0] ?? 'form'), issue.message]),
    );
    return { kind: 'invalid', message: 'Please check the marked fields.', errors };
  }
  const { idempotencyKey: key, ...message } = decoded.data;
  try {
    await content.api.sendEmail(textValues(message), scopeOf(res).signal, key);
    return { kind: 'sent', form: message.form };
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    scopeOf(res).log.error({ err: error }, 'a message could not be handed to the content backend');
    return {
      kind: 'failed',
      message:
        'Your message could not be sent right now. Nothing you typed is lost: please try again in a moment.',
    };
  }
}

function answerJson(res: Response, outcome: Outcome): void {
  res.set('Cache-Control', 'no-store');
  if (outcome.kind === 'sent') res.status(202).json({ sent: outcome.form });
  else if (outcome.kind === 'invalid')
    res.status(422).json({ message: outcome.message, errors: outcome.errors });
  else res.status(503).json({ message: outcome.message });
}

/** Thanks by a redirect, so that a reload does not send twice. */
function answerWithRedirect(site: Site, res: Response, values: Record<string, string>, form: FormName): void {
  res
    .set('Cache-Control', 'no-store')
    .status(303)
    .location(`${originOf(site, values)}?sent=${form}#${SECTIONS[form]}`)
    .end();
}

/** The page that the form stood on, to be answered with its errors and all that was typed. */
function pageOfForm(
  site: Site,
  values: Record<string, string>,
  outcome: Exclude<Outcome, { kind: 'sent' }>,
): PageRequest {
  const formState: FormState = {
    form: values.form === 'subscribe' ? 'subscribe' : 'contact',
    status: outcome.kind,
    message: outcome.message,
    errors: outcome.kind === 'invalid' ? outcome.errors : {},
    values,
  };
  return {
    form: 'page',
    path: originOf(site, values),
    search: '',
    query: new URLSearchParams(),
    match: null,
    formState,
  };
}

/** The path that the form says it stood on, when it is one of ours. */
function originOf(site: Site, values: Record<string, string>): string {
  // Anybody can post anything here, and the answer may be a redirect to it.
  const page = safeRedirectTarget(values.page?.split(/[?#]/, 1)[0]);
  return page && !page.external && matchRoute(site.routes, page.to) ? page.to : '/';
}

/** The text fields of an object; anything else in it is passed over. */
function textValues(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
