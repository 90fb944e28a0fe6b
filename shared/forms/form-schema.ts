import * as z from 'zod/mini';
import type { FormLabels, FormText } from '../labels/labels.ts';
import { fail, ok, type Result } from '../result.ts';
import { MAX_LENGTHS } from './form-limits.ts';

/**
 * Characters forbidden in one line: line breaks, controls, lone surrogates, and marks that override a
 * direction. A line break could begin an e-mail header (RFC 5322). Names use joiners and direction marks.
 */
const FORBIDDEN_IN_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const FORBIDDEN_IN_TEXT = /(?![\n\t])[\p{Cc}\p{Cs}]/u;

/**
 * An e-mail address: a dot-atom (RFC 5322) in any script (RFC 6531), and a domain of two labels or more. The
 * domain is in Unicode or Punycode (RFC 5890). Quotes, comments and address literals are refused.
 */
const ATOM = String.raw`[^\p{Cc}\p{Cf}\p{Cs}\p{Z}"(),.:;<>@[\\\]]+`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}\u200c\u200d-]{0,61}[\p{L}\p{M}\p{N}])?`;
/** Compiled at the first use, because its character sets take more than a millisecond. */
let address: RegExp | null = null;
function isAddress(text: string): boolean {
  address ??= new RegExp(
    String.raw`^(?=[^@]{1,64}@)${ATOM}(?:\.${ATOM})*@(?:${LABEL}\.)+(?!\p{N}+$)${LABEL}$`,
    'u',
  );
  return address.test(text);
}

/** Limit for consecutive marks, in UTF-16 units, as in the Stream-Safe Text Format (UAX #15, 13). */
const MAX_MARKS = 30;
/** Makes an issue whose message names a label. `decodeEmailForm` replaces it by the label's text. */
function said(label: FormText | 'tooLong'): string {
  return label;
}

/** Refuse long runs of combining marks: the time of `normalize` grows with the square of their length. */
const normalized = [
  z.refine<string>(text => text.split(/\P{M}+/u).every(row => row.length <= MAX_MARKS), {
    error: said('stackedCharacters'),
    abort: true,
  }),
  z.normalize('NFC'),
] as const;

const atMost = (max: number) => z.maxLength(max, said('tooLong'));
const without = (pattern: RegExp, label: FormText) =>
  z.refine<string>(text => !pattern.test(text), said(label));

export function line(max: number, missing: FormText) {
  return z
    .string(said(missing))
    .check(z.trim(), ...normalized, atMost(max), without(FORBIDDEN_IN_LINE, 'lineBreaks'));
}

export function paragraphs(max: number, missing: FormText) {
  return z.string(said(missing)).check(
    // Count a line break once, as `maxlength` does. A form posted without JavaScript sends two characters.
    z.overwrite(text => text.replace(/\r\n?/g, '\n')),
    z.trim(),
    ...normalized,
    atMost(max),
    without(FORBIDDEN_IN_TEXT, 'controlCharacters'),
  );
}

export const emailAddress = line(MAX_LENGTHS.email, 'wrongEmail').check(
  z.refine(isAddress, said('wrongEmail')),
);
export const idempotencyKey = z.optional(z.uuid(said('wrongKey')));

const emailFormSchema = z.discriminatedUnion(
  'form',
  [
    z.object({
      form: z.literal('contact'),
      name: line(MAX_LENGTHS.name, 'missingName'),
      email: emailAddress,
      company: z.optional(line(MAX_LENGTHS.company, 'wrongField')),
      topic: z.optional(line(MAX_LENGTHS.topic, 'wrongField')),
      message: paragraphs(MAX_LENGTHS.message, 'missingMessage'),
      idempotencyKey,
    }),
    z.object({
      form: z.literal('subscribe'),
      email: emailAddress,
      consent: z.optional(
        z.string(said('missingConsent')).check(
          z.overwrite(text => text.replace(/\s+/g, ' ')),
          z.trim(),
          ...normalized,
          atMost(MAX_LENGTHS.consent),
          without(FORBIDDEN_IN_TEXT, 'missingConsent'),
        ),
      ),
      idempotencyKey,
    }),
  ],
  said('unknownForm'),
);

/** A form that has passed the check, by a schema shared by browser and server. */
type EmailForm = z.infer<typeof emailFormSchema>;

/** Whether fields have passed this check: checking them again would change nothing. */
export function isCheckedForm(fields: Readonly<Record<string, string>>): boolean {
  const decoded = emailFormSchema.safeParse(fields);
  const values: Readonly<Record<string, unknown>> = decoded.data ?? {};
  return decoded.success && Object.entries(fields).every(([name, value]) => values[name] === value);
}

/** @param consent the sentence that visitors must agree to; null for none. */
export function decodeEmailForm(
  values: Readonly<Record<string, unknown>>,
  labels: FormLabels,
  consent: string | null = null,
): Result<EmailForm, Record<string, string>> {
  const filled = Object.entries(values).filter(
    ([, value]) => typeof value === 'string' && value.trim() !== '',
  );
  const decoded = emailFormSchema.safeParse(Object.fromEntries(filled));
  const agreed = decoded.success && 'consent' in decoded.data ? decoded.data.consent : values.consent;
  const missing = consent === null ? null : consentError(agreed, decoded.success, consent);
  if (decoded.success && missing === null) return ok(decoded.data);
  // Reverse the issues, so that the first issue of a field wins.
  const issues = decoded.error?.issues.toReversed() ?? [];
  return fail({
    ...(missing && { consent: labels.text(missing) }),
    ...Object.fromEntries(issues.map(issue => [String(issue.path[0] ?? 'form'), textOf(issue, labels)])),
  });
}

/** Requires a new consent if the sentence has changed since the page was sent. */
function consentError(agreed: unknown, isChecked: boolean, consent: string): FormText | null {
  if (typeof agreed !== 'string' || agreed.trim() === '') return 'missingConsent';
  return isChecked && agreed !== consent ? 'changedConsent' : null;
}

export function textOf(issue: z.core.$ZodIssue, labels: FormLabels): string {
  const name = issue.message as FormText | 'tooLong';
  if (name !== 'tooLong') return labels.text(name);
  return labels.count(name, issue.code === 'too_big' ? Number(issue.maximum) : 0);
}
