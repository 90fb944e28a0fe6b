import express, { type Request, type RequestHandler, type Response } from 'express';
import { sentenceText } from '../../shared/content/sentence-text.ts';
import { MIN_FILL_MS } from '../../shared/forms/form-limits.ts';
import { decodeEmailForm } from '../../shared/forms/form-schema.ts';
import { isPageForm } from '../../shared/forms/page-form.ts';
import { textValues } from '../../shared/forms/post-email-form.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import { ok } from '../../shared/result.ts';
import { readerFor } from '../content/reading/reader-for-request.ts';
import { saidError } from '../errors.ts';
import { boundedBody } from '../http/limits/bounded-body.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { languageOfCached } from '../page/resolve/load-page.ts';
import { limitPerAddress } from '../shared-store/rate-limit.ts';
import { answerForm, type FormOutcome, type InvalidForm } from './answer-form.ts';
import { type FormPageParts, type FormParts, LIMIT_WINDOW_MS, storeMessage } from './answer-with-page.ts';
import { keyOfContent } from './message-key.ts';
import { type DecodedPost, decodePost } from './page-form-post.ts';
import { refuseCrossSite } from './refuse-cross-site.ts';
import { createSubscribeLinks, type SubscribeLinks } from './subscribe-links.ts';

/** The largest message, in bytes. A larger one gets a 413. */
const BODY_LIMIT = 64 * 1024;

type Values = Readonly<Record<string, string>>;

/**
 * `POST /api/email/send`, as JSON or as a form. Answers 202 when the outbox has stored the message. Without
 * JavaScript it redirects, or shows the form's page with the problems.
 */
export function emailForms(parts: FormParts): RequestHandler[] {
  const { config, shared } = parts;
  const links = createSubscribeLinks(config);
  const limit = limitPerAddress('forms', LIMIT_WINDOW_MS, config.formRateLimit, shared, (req, res, next) => {
    const message = labelsFor(parts, res).text('tooManyMessages');
    answerForm(parts, req, res, textValues(req.body), { status: 'limited', message }).catch(next);
  });
  return [
    refuseCrossSite(config.publicOrigin, { origins: config.formOrigins }),
    requireFormType,
    boundedBody(BODY_LIMIT, express.json({ limit: BODY_LIMIT, inflate: false })),
    boundedBody(BODY_LIMIT, express.urlencoded({ limit: BODY_LIMIT, inflate: false, extended: false })),
    limit,
    async (req, res) => {
      const values = textValues(req.body);
      await answerForm(parts, req, res, values, await acceptMessage(parts, req, res, values, links));
    },
  ];
}

const FORM_TYPES = ['application/json', 'application/x-www-form-urlencoded'];

const requireFormType: RequestHandler = (req, res, next) => {
  if (req.is(FORM_TYPES) !== false) return next();
  res.set('Accept-Post', FORM_TYPES.join(', '));
  throw saidError('onlyFormTypes', 415);
};

function invalid(labels: Labels, errors: Readonly<Record<string, string>>): InvalidForm {
  return { status: 'invalid', message: errors.page ?? errors.version ?? labels.text('checkTyped'), errors };
}

/**
 * Refuses bots, which fill in the hidden field `website` or send faster than a person. The response gives the
 * reason and keeps the entered values, because a person's password manager may fill in the field, too.
 */
async function acceptMessage(
  parts: FormParts,
  req: Request,
  res: Response,
  values: Values,
  links: SubscribeLinks | null,
): Promise<FormOutcome> {
  const { log } = scopeOf(res);
  const labels = labelsFor(parts, res);
  const { form: name } = values;
  const decoded = isPageForm(name)
    ? await decodePost(parts, req, res, { ...values, form: name }, labels)
    : decodeFixed(parts, res, values, labels, links);
  if (decoded === null) return { status: 'failed', message: labels.text('notAccepted') };
  if (values.website) {
    log.info({ code: 'form-trap-filled' }, 'forms: a post with a filled trap field was refused');
    return {
      ...invalid(labels, { ...(decoded.ok ? {} : decoded.error), website: labels.text('trapFilled') }),
      counted: 'trapped',
    };
  }
  if (!decoded.ok) return invalid(labels, decoded.error);
  if (Number(values.elapsedMs) < MIN_FILL_MS) {
    log.info({ code: 'form-too-soon' }, 'forms: a post that came faster than a person types was refused');
    return { status: 'invalid', message: labels.text('tooSoon'), errors: {}, counted: 'too-soon' };
  }
  const { form, message, links: added, idempotencyKey } = decoded.value;
  const { key, earlierKey } =
    idempotencyKey === undefined
      ? keyOfContent(message, req.ip ?? '', Date.now())
      : { key: idempotencyKey.toLowerCase() };
  // Leave the links out of the idempotency key, because they differ each time the message is sent.
  return (await storeMessage(parts, res, { ...message, ...added }, key, earlierKey))
    ? { status: 'sent', form }
    : { status: 'failed', message: labels.text('notAccepted') };
}

function decodeFixed(
  parts: FormParts,
  res: Response,
  values: Values,
  labels: Labels,
  links: SubscribeLinks | null,
): DecodedPost {
  const sentence = consentOf(parts, res, values);
  const decoded = decodeEmailForm(values, labels, sentence ?? null);
  if (!decoded.ok) return decoded;
  const { idempotencyKey, ...fields } = decoded.value;
  const message = textValues(fields);
  if (sentence === null) delete message.consent;
  return ok({ form: fields.form, message, links: fieldsOfLinks(message, labels, links), idempotencyKey });
}

/** @returns the consent sentence; null if none is needed, undefined if the settings are unknown. */
function consentOf(parts: FormPageParts, res: Response, { form }: Values): string | null | undefined {
  if (form !== 'subscribe') return null;
  const settings = readerFor(parts, res).cachedSettings();
  if (!settings) return undefined;
  return settings.subscribeConsent && sentenceText(settings.subscribeConsent);
}

/** @returns the links for a subscription that needs confirmation, and the language for their e-mail. */
function fieldsOfLinks({ form, email }: Values, labels: Labels, links: SubscribeLinks | null): Values {
  if (form !== 'subscribe' || links === null) return {};
  return { ...links.fieldsFor(email ?? ''), language: labels.language.locale };
}

function labelsFor(parts: FormPageParts, res: Response): Labels {
  return languageOfCached(parts, readerFor(parts, res)).labels;
}
