import * as z from 'zod/mini';
import { fail, ok, type Result } from '../result.ts';
import { MAX_LENGTHS } from './form-limits.ts';

/**
 * What may never stand in one line of a message: line breaks, which could begin another header of an e-mail (RFC 5322), other
 * control characters, half surrogates, and marks that turn the direction of what follows. Joiners are part of names.
 */
const FORBIDDEN_IN_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** The same for a text of several lines. */
const FORBIDDEN_IN_TEXT = /(?![\n\t])[\p{Cc}\p{Cs}]/u;

/**
 * `local@domain` as people have them: a dot-atom (RFC 5322) that may be in any script (RFC 6531), at a domain of two labels or
 * more, internationalised as it is written or in Punycode (RFC 5890). No quotes, comments or address literals.
 */
const ATOM = String.raw`[^\p{Cc}\p{Cf}\p{Cs}\p{Z}"(),.:;<>@[\\\]]+`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}\u200c\u200d-]{0,61}[\p{L}\p{M}\p{N}])?`;
const ADDRESS = new RegExp(
  String.raw`^(?=[^@]{1,64}@)${ATOM}(?:\.${ATOM})*@(?:${LABEL}\.)+(?!\p{N}+$)${LABEL}$`,
  'u',
);

const tooLong = (max: number) => `Please use at most ${max.toLocaleString('en-GB')} characters.`;
const without = (pattern: RegExp, sentence: string) =>
  z.refine<string>(text => !pattern.test(text), sentence);

/** @param missing what is said of an empty field. */
function line(max: number, missing: string) {
  return z
    .string(missing)
    .check(
      z.trim(),
      z.normalize('NFC'),
      z.maxLength(max, tooLong(max)),
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
        // A browser sends a line break of a plain form post as two characters, and counts it as one.
        z.overwrite(text => text.replace(/\r\n?/g, '\n')),
        z.trim(),
        z.normalize('NFC'),
        z.maxLength(MAX_LENGTHS.message, tooLong(MAX_LENGTHS.message)),
        without(FORBIDDEN_IN_TEXT, 'Please remove control characters.'),
      ),
      idempotencyKey,
    }),
    z.object({ form: z.literal('subscribe'), email, idempotencyKey }),
  ],
  'There is no such form.',
);

/** A form as it was filled in: the one thing that both sides check, the browser so that nobody has to wait, the server because it must. */
export type EmailForm = z.infer<typeof emailFormSchema>;

/**
 * @param values the fields as they were posted; an empty one is none.
 * @returns the form, or a sentence for each field that needs another look.
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
  // The first of a field's issues is the one that is said.
  return fail(
    Object.fromEntries(issues.toReversed().map(({ path, message }) => [String(path[0] ?? 'form'), message])),
  );
}
