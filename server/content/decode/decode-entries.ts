import type { Entry, EntrySummary } from '../../../shared/content/entries.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { safeSlug } from '../safe-address.ts';
import { decodeSeo } from './decode-blog.ts';
import { type DecodeContext, type DecodeRow, imageOf, questionsOf, requireEntry } from './decode-fields.ts';
import { dateOf, textOf } from './wire.ts';

/** A business solution, a commerce page or a generic page as the lists show it: it needs a title and a slug. */
export const decodeEntrySummary: DecodeRow<EntrySummary> = (row, context) => {
  const decoded = entryBase(row, context);
  return decoded.ok ? ok(decoded.value.summary) : decoded;
};

/** The same in full. */
export const decodeEntry: DecodeRow<Entry> = (row, context) => {
  const decoded = entryBase(row, context);
  if (!decoded.ok) return decoded;
  const { attributes, summary } = decoded.value;
  return ok({
    ...summary,
    h1: textOf(attributes.h1),
    body: context.richText.compile(attributes.body),
    questions: questionsOf(attributes.questions, context),
    seo: decodeSeo(attributes, context),
    contactForm: attributes.contactForm === true,
  });
};

function entryBase(
  row: unknown,
  context: DecodeContext,
): Result<{ attributes: Record<string, unknown>; summary: EntrySummary }> {
  const entry = requireEntry(row);
  if (!entry.ok) return entry;
  const { id, attributes } = entry.value;
  const title = textOf(attributes.title);
  const slug = safeSlug(textOf(attributes.slug));
  if (!title || !slug) return fail('a page needs a title and a slug');
  return ok({
    attributes,
    summary: {
      id,
      title,
      description: textOf(attributes.description),
      slug,
      cover: imageOf(attributes.cover, context),
      updatedAt: dateOf(attributes.updatedAt),
    },
  });
}
