import { contentTypes } from '../../../shared/content/content-types.ts';
import type { Entry, EntrySummary, EntryTypeName } from '../../../shared/content/entries.ts';
import { ok } from '../../../shared/result.ts';
import { entityDecoder, inLists } from './decode-entity.ts';
import type { DecodeRow } from './decode-fields.ts';
import { withSeo } from './decode-seo.ts';

const fields = {
  ...contentTypes['business-solution'].fields,
  ...contentTypes.commerce.fields,
  ...contentTypes.page.fields,
};

/** @returns the decoders of a type whose entries are pages with a text: one for lists, one for full entries. */
function decodersOf(name: EntryTypeName): { summary: DecodeRow<EntrySummary>; full: DecodeRow<Entry> } {
  const type = { ...contentTypes[name], fields };
  const decode = entityDecoder(type);
  return {
    summary: entityDecoder(inLists(type)),
    full(row, context) {
      const decoded = decode(row, context);
      return decoded.ok ? ok(withSeo(decoded.value, context)) : decoded;
    },
  };
}

export const entryDecoders: { readonly [Name in EntryTypeName]: ReturnType<typeof decodersOf> } = {
  'business-solution': decodersOf('business-solution'),
  commerce: decodersOf('commerce'),
  page: decodersOf('page'),
};
