import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { sentenceText } from '../../shared/content/sentence-text.ts';
import type { Settings } from '../../shared/content/settings.ts';
import { MIN_FILL_MS } from '../../shared/forms/form-limits.ts';
import { decodeEmailForm } from '../../shared/forms/form-schema.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { saidError } from '../errors.ts';
import { boundedBody } from '../http/bounded-body.ts';
import { limitPerAddress } from '../http/rate-limit.ts';
import { scopeOf } from '../http/request-scope.ts';
import { MessageNotAcceptedError } from '../outbox/outbox.ts';
import { languageOfCached } from '../page/load-page.ts';
import { createSharedLimit } from '../shared-state/shared-limit.ts';
import type { Site } from '../site.ts';
import { answerForm, type FormOutcome } from './answer-form.ts';
import type { FormPageSite } from './answer-with-page.ts';
import { keyOfContent } from './message-key.ts';
import { refuseCrossSite } from './refuse-cross-site.ts';
import { createSubscribeLinks, type SubscribeLinks } from './subscribe-links.ts';

/** A message larger than this is refused with 413. */
const BODY_LIMIT = 64 * 1024;
export const LIMIT_WINDOW_MS = 10 * 60 * 1_000;

type Values = Readonly<Record<string, string>>;

/**
 * `POST /api/email/send` accepts the contact and the subscribe form, as JSON or as a plain form post. The answer is 202 when
 * the message is safe in the outbox, which delivers it to the content backend. Without JavaScript the answer redirects to the page of
 * the form, or is that page with the problems.
 */
export function emailForms(site: FormPageSite & Pick<Site, 'outbox' | 'diskHealth' | 'shared'>): Router {
  const links = createSubscribeLinks(site.config);
  const limit = limitPerAddress(LIMIT_WINDOW_MS, site.config.formRateLimit, {
    handler(req, res, next) {
      const message = labelsFor(site, res).text('tooManyMessages');
      answerForm(site, req, res, textValues(req.body), { status: 'limited', message }).catch(next);
    },
    ...(site.shared && { store: createSharedLimit(site.shared, 'forms') }),
  });
  const router = Router();
  router.post(
    '/api/email/send',
    refuseCrossSite(site.config.publicOrigin),
    requireFormType,
    boundedBody(BODY_LIMIT, express.json({ limit: BODY_LIMIT, inflate: false })),
    boundedBody(BODY_LIMIT, express.urlencoded({ limit: BODY_LIMIT, inflate: false, extended: false })),
    limit,
    async (req, res) => {
      const values = textValues(req.body);
      await answerForm(site, req, res, values, await acceptMessage(site, req, res, values, links));
    },
  );
  router.all('/api/email/send', (_req, res) => {
    res.set('Allow', 'POST');
    throw saidError('onlyForms', 405);
  });
  return router;
}

/** The types of the bodies that the forms send: with and without JavaScript. */
const FORM_TYPES = ['application/json', 'application/x-www-form-urlencoded'];

/** Refuses a body of another type with 415. */
const requireFormType: RequestHandler = (req, res, next) => {
  if (req.is(FORM_TYPES) !== false) return next();
  res.set('Accept-Post', FORM_TYPES.join(', '));
  throw saidError('onlyFormTypes', 415);
};

/**
 * Robots fill in the hidden field `website`, or post sooner than a person can type. The page's script waits before it posts. The answer
 * to a refused post gives the reason: a password manager may have filled in the field, and a person must not lose the typed words.
 */
function invalid(labels: Labels, errors: Readonly<Record<string, string>>): FormOutcome {
  return { status: 'invalid', message: labels.text('checkFields'), errors };
}

async function acceptMessage(
  site: FormPageSite & Pick<Site, 'outbox' | 'diskHealth'>,
  req: Request,
  res: Response,
  values: Values,
  links: SubscribeLinks | null,
): Promise<FormOutcome> {
  const { outbox, diskHealth } = site;
  const { log } = scopeOf(res);
  const labels = labelsFor(site, res);
  const sentence = consentOf(site, res, values);
  const decoded = decodeEmailForm(values, labels, sentence ?? null);
  if (values.website) {
    log.info('a form post with a filled trap was refused');
    return invalid(labels, { ...(decoded.ok ? {} : decoded.error), website: labels.text('trapFilled') });
  }
  if (!decoded.ok) return invalid(labels, decoded.error);
  if (Number(values.elapsedMs) < MIN_FILL_MS) {
    log.info('a form post that came too soon was refused');
    return { status: 'invalid', message: labels.text('tooSoon'), errors: {} };
  }
  const { idempotencyKey, ...fields } = decoded.value;
  const message = textValues(fields);
  if (sentence === null) delete message.consent;
  const { key, earlierKey } =
    idempotencyKey === undefined
      ? keyOfContent(message, req.ip ?? '', Date.now())
      : { key: idempotencyKey.toLowerCase() };
  try {
    // The links are no part of the key: each try of the same message would have others.
    await outbox.accept({ ...message, ...fieldsOfLinks(message, labels, links) }, key, earlierKey);
    return { status: 'sent', form: decoded.value.form };
  } catch (error) {
    if (!(error instanceof MessageNotAcceptedError)) throw error;
    // A disk that cannot be written has an error line of its own, however many messages it refuses.
    const level = (await diskHealth.explains(error)) ? 'warn' : 'error';
    log[level]({ err: error, waiting: outbox.state.waiting }, 'a message could not be accepted');
    return { status: 'failed', message: labels.text('notAccepted') };
  }
}

/**
 * @returns the sentence to which a subscriber has to agree; null for none, and for the contact form; undefined where the settings are not
 *   known: what was posted is then believed.
 */
function consentOf(site: FormPageSite, res: Response, { form }: Values): string | null | undefined {
  if (form !== 'subscribe') return null;
  const settings = readerFor(site, res).peek<Settings>('settings');
  if (!settings) return undefined;
  return settings.subscribeConsent && sentenceText(settings.subscribeConsent);
}

/** @returns the fields of a subscription that has to be confirmed; none for other messages. The language is that of the e-mail with the link. */
function fieldsOfLinks({ form, email }: Values, labels: Labels, links: SubscribeLinks | null): Values {
  if (form !== 'subscribe' || links === null) return {};
  return { ...links.fieldsFor(email ?? ''), language: labels.language.locale };
}

function labelsFor(site: FormPageSite, res: Response): Labels {
  return languageOfCached(site, readerFor(site, res)).labels;
}

/** @returns the text fields of an object, without all other fields. */
function textValues(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
