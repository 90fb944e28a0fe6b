import type {
  ContentTypeDescription,
  FieldDescription,
  ListFields,
  ValuesOf,
} from '../../../shared/content/content-types.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { descriptionOf, readsInLists } from '../described-types.ts';
import { withSections } from '../rich-text/with-sections.ts';
import { hrefAt } from './decode-addresses.ts';
import { type DecodeContext, inside } from './decode-context.ts';
import {
  type DecodeRow,
  dateAt,
  decodeRelated,
  decodeRelation,
  flagAt,
  imageOf,
  linksOf,
  mediaAddressesOf,
  mediaAddressOf,
  navigationOf,
  questionsOf,
  type RowProblem,
  requireEntry,
  richTextAt,
  schemaOf,
  slugAt,
  textsAt,
} from './decode-fields.ts';
import { textAt } from './decode-json.ts';

/** The parts of a description that decoding needs. */
export type DecodedType = Pick<ContentTypeDescription, 'path' | 'noun' | 'needsOneOf' | 'fields'>;
type Decoded<T extends DecodedType> = { id: string } & ValuesOf<T['fields']>;
type DecodeValue = (value: unknown, context: DecodeContext) => unknown;

/** A decoder for each kind of field. Null means that the type's own decoder reads the field. */
const DECODERS: Readonly<
  Record<Exclude<FieldDescription['kind'], 'relation' | 'component'>, DecodeValue | null>
> = {
  text: textAt,
  slug: slugAt,
  address: (value, context) => hrefAt(value, context, 'the entry has no link'),
  date: dateAt,
  flag: flagAt,
  'rich-text': richTextAt,
  'source-text': value => (typeof value === 'string' ? value : null),
  questions: questionsOf,
  texts: textsAt,
  links: linksOf,
  navigation: navigationOf,
  'json-ld': schemaOf,
  picture: imageOf,
  file: mediaAddressOf,
  files: mediaAddressesOf,
  json: null,
  number: null,
  choice: null,
  lines: null,
  zone: null,
};

/**
 * Decodes the attributes of a row by the description of its type. No field is required here: a field without a value is null, false or
 * an empty list.
 */
export function decodeFields<T extends DecodedType>(
  type: T,
  attributes: Record<string, unknown>,
  context: DecodeContext,
): ValuesOf<T['fields']> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<FieldDescription>(type.fields)) {
    const decode = decoderOf(type, name, field);
    if (!decode) continue;
    const followedBy = 'followedBy' in field ? field.followedBy : undefined;
    const value = followedBy ? withSections(attributes[name], attributes[followedBy]) : attributes[name];
    values[name] = decode(value, inside(context, name));
    for (const other of field.orElse ?? [])
      values[name] ??= decode(attributes[other], inside(context, other));
  }
  // The decoder of a kind returns the type that DecodedKinds has for the kind.
  return values as ValuesOf<T['fields']>;
}

/** @returns the decoder of a type's rows. A row without a required field is a failure that names all required fields. */
export function entityDecoder<T extends DecodedType>(type: T): DecodeRow<Decoded<T>> {
  const fields = Object.entries<FieldDescription>(type.fields);
  const required = fields.flatMap(([name, field]) => (field.required ? [name] : []));
  const { noun, needsOneOf } = type;
  return (row, context): Result<Decoded<T>, RowProblem> => {
    const entry = requireEntry(row);
    if (!entry.ok) return entry;
    const { id, attributes } = entry.value;
    const values: Record<string, unknown> = decodeFields(type, attributes, context);
    const missing = required.find(name => !values[name]);
    if (missing) return fail({ reason: `${noun} needs ${nounList(required, 'and')}`, field: missing });
    if (needsOneOf && !needsOneOf.some(name => values[name]))
      return fail({ reason: `${noun} needs ${nounList(needsOneOf, 'or')}`, field: needsOneOf[0] ?? null });
    return ok({ id, ...(values as ValuesOf<T['fields']>) });
  };
}

/** @returns the type reduced to the fields that lists ask for. */
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

function decoderOf(type: DecodedType, name: string, field: FieldDescription): DecodeValue | null {
  if (!('target' in field)) return DECODERS[field.kind];
  const decodeRow = targetDecoder(field.target, field.reads);
  if (field.many) return (value, context) => decodeRelated(`${type.path}.${name}`, value, decodeRow, context);
  return (value, context) => decodeRelation(`${type.path}.${name}`, value, decodeRow, context);
}

const targetDecoders = new Map<string, DecodeRow<unknown>>();

/** The decoder of a related type, created once for each set of fields. */
function targetDecoder(name: string, reads: readonly string[] | undefined): DecodeRow<unknown> {
  const key = `${name} ${reads?.join()}`;
  const known = targetDecoders.get(key);
  if (known) return known;
  const type: DecodedType = descriptionOf(name);
  const fields = Object.entries(type.fields).filter(([field]) => !reads || reads.includes(field));
  const decode = entityDecoder<DecodedType>({ ...type, fields: Object.fromEntries(fields) });
  targetDecoders.set(key, decode);
  return decode;
}

/** @returns the names as a list, such as `a title, a slug and a date`. */
function nounList(names: readonly string[], word: 'and' | 'or'): string {
  const nouns = names.map(name => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`);
  return [nouns.slice(0, -1).join(', '), ...nouns.slice(-1)].filter(Boolean).join(` ${word} `);
}
