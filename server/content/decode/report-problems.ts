import type { DecodeContext } from './decode-fields.ts';
import { entryOf, jsonOf, unwrap, type WireEntry } from './wire.ts';

/** Relations that the site asks for: Strapi leaves them out without a word when a type's public permission was forgotten. */
const EXPECTED_RELATIONS: Readonly<Record<string, readonly string[]>> = {
  articles: ['category', 'author'],
  landing: ['countries_list'],
};

/** Fields that hold JSON, whatever the type. */
const JSON_FIELDS = [
  ...[
    'questions',
    'headerLinks',
    'footerLinks',
    'socials',
    'headerBlock',
    'paymentsBlock',
    'directionsBlock',
  ],
  ...[
    'partnersBlock',
    'metricsBlockUsdList',
    'metricsBlockPositiveQualities',
    'earnMoreBlock',
    'contactsBlock',
  ],
  ...['faqBlock', 'contactsListWithCheckmarks', 'positionsAndCustomBlocks', 'subscribeBlockSocials'],
  ...['schema1', 'schema2', 'schema3'],
];

/** Reports what an answer leaves out without being an error: decoding takes it as it is, and somebody should know. */
export function reportProblems(type: string, body: unknown, context: DecodeContext): void {
  const bare = unwrap(body);
  const rows: readonly unknown[] = Array.isArray(bare) ? bare : [bare];
  const entries = rows.flatMap(row => entryOf(row) ?? []);
  reportAbsentRelations(type, entries, context);
  for (const entry of entries) reportBrokenJson(type, entry, context);
}

function reportAbsentRelations(type: string, entries: readonly WireEntry[], context: DecodeContext): void {
  if (entries.length === 0) return;
  for (const field of EXPECTED_RELATIONS[type] ?? []) {
    if (entries.some(({ attributes }) => Object.hasOwn(attributes, field))) continue;
    const reason = `'${field}' is missing in every row: is its type's public permission set in the backend?`;
    context.report({ kind: 'relation-absent', type, id: null, reason });
  }
}

function reportBrokenJson(type: string, { id, attributes }: WireEntry, context: DecodeContext): void {
  for (const field of JSON_FIELDS) {
    const value = attributes[field];
    if (typeof value !== 'string' || value.trim() === '' || jsonOf(value) !== null || value.trim() === 'null')
      continue;
    context.report({ kind: 'broken-json', type, id, reason: `'${field}' is no JSON: it counts as empty` });
  }
}
