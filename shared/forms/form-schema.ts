import * as z from 'zod/mini';
import { fail, ok, type Result } from '../result.ts';
import { MAX_LENGTHS } from './form-limits.ts';

/**
 * Characters forbidden in a field of one line: line breaks, which could begin another header of an e-mail (RFC 5322), other
 * control characters, lone surrogates, and characters that embed, isolate or override a direction of text. Joiners and plain
 * direction marks are allowed, because names use them; log lines do not allow them.
 */
const FORBIDDEN_IN_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** Characters forbidden in a field of several lines. */
const FORBIDDEN_IN_TEXT = /(?![\n\t])[\p{Cc}\p{Cs}]/u;

/**
 * An e-mail address as people use them. The local part is a dot-atom (RFC 5322) in any script (RFC 6531). The domain has at
 * least two labels, in Unicode or in Punycode (RFC 5890). Quotes, comments and address literals are refused.
 */
const ATOM = String.raw`[^\p{Cc}\p{Cf}\p{Cs}\p{Z}"(),.:;<>@[\\\]]+`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}\u200c\u200d-]{0,61}[\p{L}\p{M}\p{N}])?`;
const ADDRESS = new RegExp(
  String.raw`^(?=[^@]{1,64}@)${ATOM}(?:\.${ATOM})*@(?:${LABEL}\.)+(?!\p{N}+$)${LABEL}$`,
  'u',
);

/** The most marks in a row, as in the Stream-Safe Text Format (UAX #15, 13), in UTF-16 units. No language stacks so many. */
const MAX_MARKS = 30;
/**
 * Refuses rows of marks before the text is normalised, which sorts the marks of a row: the time grows with the square of its length, and one
 * post of 60 KB took a second of CPU time.
 */
const normalized = [
  z.refine<string>(text => text.split(/\P{M}+/u).every(row => row.length <= MAX_MARKS), {
    error: 'Please remove characters that are stacked on each other.',
    abort: true,
  }),
  z.normalize('NFC'),
] as const;

/** The sentence is written when it is needed: the first `toLocaleString` of a process takes several ms. */
const atMost = (max: number) =>
  z.maxLength(max, { error: () => `Please use at most ${max.toLocaleString('en-GB')} characters.` });
const without = (pattern: RegExp, sentence: string) =>
  z.refine<string>(text => !pattern.test(text), sentence);

/** @param missing the error text for an empty field. */
function line(max: number, missing: string) {
  return z
    .string(missing)
    .check(
      z.trim(),
      ...normalized,
      atMost(max),
      without(FORBIDDEN_IN_LINE, 'Please remove line breaks and control characters.'),
    );
}

const WRONG_ADDRESS = 'Please enter a complete e-mail address, such as name@example.com.';
const email = line(MAX_LENGTHS.email, WRONG_ADDRESS).check(z.regex(ADDRESS, WRONG_ADDRESS));
const idempotencyKey = z.optional(z.uuid('The key must be a UUID.'));

const emailFormSchema = z.discriminatedUnion(
  'form',
  [
    z.object({
      form: z.literal('contact'),
      name: line(MAX_LENGTHS.name, 'Please enter your name.'),
      email,
      company: z.optional(line(MAX_LENGTHS.company, '')),
      topic: z.optional(line(MAX_LENGTHS.topic, '')),
      message: z.string('Please write a message.').check(
        // A plain form post sends a line break as two characters, but `maxlength` counts it as one.
        z.overwrite(text => text.replace(/\r\n?/g, '\n')),
        z.trim(),
        ...normalized,
        atMost(MAX_LENGTHS.message),
        without(FORBIDDEN_IN_TEXT, 'Please remove control characters.'),
      ),
      idempotencyKey,
    }),
    z.object({ form: z.literal('subscribe'), email, idempotencyKey }),
  ],
  'There is no such form.',
);

/** A form that has passed the check. Browser and server use the same schema. */
export type EmailForm = z.infer<typeof emailFormSchema>;

/**
 * @param values the posted fields. An empty field counts as missing.
 * @returns the form, or an error text for each wrong field.
 */
export function decodeEmailForm(
  values: Readonly<Record<string, unknown>>,
): Result<EmailForm, Record<string, string>> {
  const filled = Object.entries(values).filter(
    ([, value]) => typeof value === 'string' && value.trim() !== '',
  );
  const decoded = emailFormSchema.safeParse(Object.fromEntries(filled));
  if (decoded.success) return ok(decoded.data);
  const { issues } = decoded.error;
  // Reversed, so that the first issue of a field wins.
  return fail(
    Object.fromEntries(issues.toReversed().map(({ path, message }) => [String(path[0] ?? 'form'), message])),
  );
}
