import type { PageIds } from '../../server/loading/page-ids.ts';
import type { ZonePart } from '../../shared/content/descriptions.ts';
import type { BlockData, BlockName, PageBlockName } from '../../shared/content/landing.ts';
import type { Question } from '../../shared/content/rich-text.ts';
import type { WithSections } from '../../shared/content/seo.ts';
import type { BlockContext, CompleteBlock, CompletedName } from './complete-block.server.ts';
import { completeCountries } from './countries/countries.load.server.ts';
import { faq } from './faq/faq.block.ts';
import { completeFaq } from './faq/faq.load.server.ts';
import { completeForm } from './form/form.load.server.ts';
import { completePayments } from './payments/payments.load.server.ts';
import { completeTable } from './table/table.load.server.ts';

/** Functions that add to the values of blocks what their components also show. `header` has one elsewhere. */
export const completions = {
  countries: completeCountries,
  payments: completePayments,
  faq: completeFaq,
  form: completeForm,
  table: completeTable,
} satisfies { readonly [Name in Exclude<CompletedName, 'header'>]: CompleteBlock<Name> } & {
  readonly [Name in BlockName | PageBlockName]?: CompleteBlock<Name>;
};

export function completed(name: string, values: object, context: BlockContext): object {
  const all: Readonly<Record<string, unknown>> = completions;
  // The cast is safe: the completion has the block's name, so it accepts the block's values.
  const complete = all[name] as ((values: object, context: BlockContext) => object) | undefined;
  return complete?.(values, context) ?? values;
}

/** Makes `sections` of a payload, or nothing without blocks. @param entry the id of the zone's entry. */
export function shownSections(parts: readonly ZonePart[], ids: PageIds, entry: string): WithSections {
  if (parts.length === 0) return {};
  const sections = parts.map((part, index) => {
    if ('text' in part) return { text: ids.text(part.text) };
    const before = parts.slice(0, index).filter(other => 'block' in other && other.block === part.block);
    const place = { entry, number: before.length + 1 };
    return { ...part, id: ids.section(part.id), data: completed(part.block, part.data, { ids, place }) };
  });
  return { sections };
}

export function questionsIn(parts: readonly ZonePart[]): readonly Question[] {
  return parts.flatMap(part =>
    // The cast is safe: the data of the block `faq` have the fields of its description.
    'block' in part && part.block === faq.name ? (part.data as BlockData<typeof faq>).items : [],
  );
}
