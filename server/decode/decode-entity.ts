import type { ListFields, ValuesOf } from '../../shared/content/content-types.ts';
import {
  type ComponentDescription,
  type ContentTypeDescription,
  type FieldDescription,
  isMany,
  type KindByHand,
  type ZonePart,
} from '../../shared/content/descriptions.ts';
import type { JsonObject } from '../../shared/content/json.ts';
import { kebabOf } from '../../shared/content/landing-fields.ts';
import type { RichText } from '../../shared/content/rich-text.ts';
import { zoneBlock } from '../../shared/content/zone-kinds.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { hrefAt } from '../addresses/decode-addresses.ts';
import { countBeforeBlocks, sectionsIn, withSections } from '../rich-text/sources/with-sections.ts';
import { type DecodeContext, inside, lose, noted } from '../wire/decode-context.ts';
import {
  type Item,
  inWords,
  isWhole,
  itemsAt,
  objectAt,
  objectsAt,
  textAt,
  withArticle,
} from '../wire/decode-json.ts';
import { descriptionOf, readsInLists } from '../wire/described-types.ts';
import { entryOf } from '../wire/wire.ts';
import {
  choiceAt,
  type DecodeRow,
  dateAt,
  decodeRelated,
  decodeRelation,
  flagAt,
  imageOf,
  labelledFilesOf,
  mediaAddressesOf,
  mediaAddressOf,
  navigationOf,
  numberAt,
  type RowProblem,
  richTextAt,
  schemaOf,
  slugAt,
  textsAt,
} from './decode-fields.ts';

type DecodedType = Pick<ContentTypeDescription, 'path' | 'noun' | 'needsOneOf' | 'fields'>;
type Decoded<T extends DecodedType> = { id: string } & ValuesOf<T['fields']>;
type DecodeValue = (value: unknown, context: DecodeContext) => unknown;
type Unlinked = (field: string) => string;

type KindOfMore = 'text' | 'relation' | 'component' | 'object' | 'list' | 'address' | 'choice' | 'zone';

/** The decoder for each kind of field. Kinds with null are skipped, because other code reads their fields. */
const DECODERS: Readonly<
  Record<Exclude<FieldDescription['kind'], KindOfMore | KindByHand>, DecodeValue> & Record<KindByHand, null>
> = {
  slug: slugAt,
  date: dateAt,
  flag: flagAt,
  number: numberAt,
  'rich-text': richTextAt,
  texts: textsAt,
  navigation: navigationOf,
  'json-ld': schemaOf,
  picture: imageOf,
  file: mediaAddressOf,
  files: mediaAddressesOf,
  'labelled-files': labelledFilesOf,
  json: null,
  order: null,
  moment: null,
  lines: null,
};

const noLink: Unlinked = () => 'the entry has no link';

/** Decodes fields without checking required ones. An empty field becomes null, false or an empty list. */
export function decodeFields<T extends DecodedType>(
  type: T,
  attributes: Record<string, unknown>,
  context: DecodeContext,
  unlinked = noLink,
): ValuesOf<T['fields']> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<FieldDescription>(type.fields)) {
    const decode = decoderOf(type, name, field, unlinked);
    if (!decode) continue;
    const followedBy = 'followedBy' in field ? field.followedBy : undefined;
    const value = followedBy ? withSections(attributes[name], attributes[followedBy]) : attributes[name];
    values[name] =
      followedBy && context.noteField
        ? [
            ...richTextAt(attributes[name], inside(context, name)),
            ...textsOf(sectionsBefore(attributes[followedBy], inside(context, followedBy)), context),
          ]
        : decode(value, inside(context, name));
    for (const other of field.orElse ?? [])
      values[name] ??= decode(attributes[other], inside(context, other));
  }
  // Safe: the decoder of a kind returns the type that DecodedKinds has for the kind.
  return values as ValuesOf<T['fields']>;
}

/** @returns a decoder of rows. If a row lacks a required field, its error names all required fields. */
export function entityDecoder<T extends DecodedType>(type: T): DecodeRow<Decoded<T>> {
  const fields = Object.entries<FieldDescription>(type.fields);
  const required = fields.flatMap(([name, field]) => (field.required ? [name] : []));
  const { noun, needsOneOf } = type;
  return (row, context): Result<Decoded<T>, RowProblem> => {
    const entry = entryOf(row);
    if (!entry) return fail({ reason: 'it has no id', field: null });
    const { id, attributes } = entry;
    const values: Record<string, unknown> = decodeFields(type, attributes, context);
    const missing = required.find(name => !values[name]);
    if (missing)
      return fail({ reason: `${noun} needs ${inWords(required.map(withArticle), 'and')}`, field: missing });
    if (needsOneOf && !needsOneOf.some(name => values[name])) {
      const reason = `${noun} needs ${inWords(needsOneOf.map(withArticle), 'or')}`;
      return fail({ reason, field: needsOneOf[0] ?? null });
    }
    return ok({ id, ...(values as ValuesOf<T['fields']>) });
  };
}

/** Decodes a component. One that lacks a needed value is reported and becomes null. */
function decodeItem(
  component: ComponentDescription,
  item: JsonObject,
  context: DecodeContext,
): Record<string, unknown> | null {
  const { noun, needs = [] } = component;
  const values: Record<string, unknown> = decodeFields(component, item, context, name =>
    needs.includes(name) ? 'the link is not shown' : `the ${bareNoun(noun)} is shown without a link`,
  );
  return isWhole(component, values, item, context) ? values : null;
}

/** Decodes sections as one text. In a preview each section is a separate text that names its field. */
function textsOf(sections: readonly Item<unknown, DecodeContext>[], context: DecodeContext): RichText {
  if (context.noteField) return sections.flatMap(([section, at]) => richTextAt([section], at));
  return richTextAt(
    sections.map(([section]) => section),
    context,
  );
}

/** @returns the sections before the first block of a zone, with their places. They continue the text. */
function sectionsBefore(value: unknown, context: DecodeContext): readonly Item<unknown, DecodeContext>[] {
  const all = sectionsIn(value);
  return all.slice(0, countBeforeBlocks(all)).map((section, index) => [section, inside(context, index)]);
}

/**
 * Decodes a dynamic zone.
 * @param continuesText whether to skip the first sections, up to a block: they belong to the entry's text.
 */
function zonePartsAt(value: unknown, context: DecodeContext, continuesText: boolean): readonly ZonePart[] {
  const all = sectionsIn(value);
  const skipped = continuesText ? countBeforeBlocks(all) : 0;
  if (skipped === all.length) return [];
  const parts: ZonePart[] = [];
  const shown = new Set<string>();
  let texts: Item<unknown, DecodeContext>[] = [];
  const endTexts = () => {
    const text = texts.length > 0 ? textsOf(texts, context) : [];
    if (text.length > 0) parts.push({ text });
    texts = [];
  };
  for (const [item, at] of itemsAt(value, context).slice(skipped)) {
    const known = zoneBlock(item);
    if (!known) {
      texts.push([item, at]);
      continue;
    }
    endTexts();
    const { block, component } = known;
    const { name, hasForm } = block;
    const isAgain = shown.has(name);
    const object = objectAt(item, at, keysOf(component));
    const data = object && decodeItem(component, object, at);
    if (isAgain && hasForm === 'once')
      lose(at, 'value-left-out', 'a page shows this block once, at its first place');
    else if (data) parts.push({ block: name, id: kebabOf(name), data, ...(hasForm && { hasForm: true }) });
    shown.add(name);
  }
  endTexts();
  return parts;
}

function keysOf({ fields }: ComponentDescription): readonly string[] {
  return [...Object.keys(fields), ...Object.values(fields).flatMap(({ orElse = [] }) => orElse)];
}

export function inLists<T extends DecodedType>(
  type: T,
): Omit<T, 'fields'> & { fields: ListFields<T['fields']> } {
  const fields = Object.entries<FieldDescription>(type.fields)
    .filter(([, field]) => field.inLists)
    .map(([name, field]) => {
      const reads = readsInLists(field);
      return [name, reads ? { ...field, reads } : field] as const;
    });
  return { ...type, fields: Object.fromEntries(fields) as ListFields<T['fields']> };
}

function decoderOf(
  type: DecodedType,
  name: string,
  field: FieldDescription,
  unlinked: Unlinked,
): DecodeValue | null {
  switch (field.kind) {
    case 'text':
      if ('isCode' in field && field.isCode) return textAt;
      return (value, context) => noted('text', textAt(value, context), context);
    case 'address':
      return (value, context) => hrefAt(value, context, unlinked(name));
    case 'choice':
      return (value, context) => choiceAt(value, context, ('of' in field && field.of) || []);
    case 'object':
      return (value, context) => {
        const object = objectAt(value, context, keysOf(field.component));
        return object && decodeItem(field.component, object, context);
      };
    case 'list':
      return (value, context) =>
        objectsAt(value, context, keysOf(field.component)).flatMap(
          ([item, at]) => decodeItem(field.component, item, at) ?? [],
        );
    case 'zone': {
      const continuesText = Object.values(type.fields).some(
        other => 'followedBy' in other && other.followedBy === name,
      );
      return (value, context) => zonePartsAt(value, context, continuesText);
    }
    case 'relation':
    case 'component': {
      const target = field.kind === 'relation' ? descriptionOf(field.target) : field.component;
      const decodeRow = rowDecoder(target, field.reads);
      const decode = isMany(field) ? decodeRelated : decodeRelation;
      return (value, context) => decode(`${type.path}.${name}`, value, decodeRow, context);
    }
    default:
      return DECODERS[field.kind];
  }
}

const rowDecoders = new Map<DecodedType, Map<string, DecodeRow<unknown>>>();

/** @returns the decoder of a set of fields, created once for each set. */
function rowDecoder(type: DecodedType, reads: readonly string[] | undefined): DecodeRow<unknown> {
  const known = rowDecoders.get(type)?.get(String(reads));
  if (known) return known;
  const fields = Object.entries(type.fields).filter(([field]) => !reads || reads.includes(field));
  const decode = entityDecoder<DecodedType>({ ...type, fields: Object.fromEntries(fields) });
  rowDecoders.set(type, new Map(rowDecoders.get(type)).set(String(reads), decode));
  return decode;
}

function bareNoun(noun: string): string {
  return noun.replace(/^an? /, '');
}
