import type { FieldDescription } from '../../shared/content/descriptions.ts';
import { joined } from '../wire/content-calls.ts';
import { labelOf } from '../wire/described-types.ts';
import { entryOf, textOf, unwrap, type WireEntry } from '../wire/wire.ts';
import type { Ask } from './ask.ts';
import { type ExaminedType, entriesOf, hasField } from './examine-type.ts';
import { aboutType, type Finding, named, quotedList } from './finding.ts';

/** Limit for the entries that a finding names. */
const MAX_NAMED = 5;
const READS = ['alternativeText', 'width', 'height', 'url'];

interface ShownPicture {
  readonly entry: string;
  readonly file: WireEntry['attributes'];
}

/** Looks for pictures without alternative texts, and for those that are smaller than their place. */
export async function checkPictures(examined: ExaminedType, ask: Ask): Promise<Finding[]> {
  const { type } = examined;
  const fields = Object.entries<FieldDescription>(type.fields).filter(
    ([name, field]) => placeOf(field) !== null && hasField(examined, name),
  );
  if (type.storage !== 'collection' || fields.length === 0) return [];
  const name = hasField(examined, 'title') ? 'title' : 'name';
  const pictures = fields.flatMap(([field]) =>
    READS.map((read, at) => `populate[${field}][fields][${at}]=${read}`),
  );
  const { bodies } = await ask.list(type, joined(`fields[0]=${name}`, ...pictures));
  const entries = bodies.flatMap(entriesOf);
  return fields.flatMap(([field, description]) => {
    const shown = entries.flatMap(({ id, attributes }): ShownPicture[] => {
      const file = entryOf([unwrap(attributes[field])].flat()[0]);
      return file ? [{ entry: textOf(attributes[name]) ?? id, file: file.attributes }] : [];
    });
    return findingsOf(examined, description, shown);
  });
}

function placeOf(field: FieldDescription): number | null {
  return field.kind === 'picture' && 'placeWidth' in field ? (field.placeWidth ?? null) : null;
}

function findingsOf(
  { name, type }: ExaminedType,
  field: FieldDescription,
  shown: readonly ShownPicture[],
): Finding[] {
  const place = placeOf(field) ?? 0;
  const silent = shown.filter(({ file }) => textOf(file.alternativeText) === null);
  // Drawings have no pixels.
  const small = shown.filter(
    ({ file: { width, url } }) =>
      typeof width === 'number' && width < place && !/\.svg(?:$|[?#])/i.test(String(url)),
  );
  const remedy = `Strapi: Content Manager → ${labelOf(name)} → the entry → ${field.label}`;
  const list = (words: readonly string[]) =>
    quotedList(words.slice(0, MAX_NAMED)) + (words.length > MAX_NAMED ? ' …' : '');
  return [
    ...(silent.length === 0
      ? []
      : [
          aboutType('alternative-text-absent', type, {
            what: `${silent.length} pictures (${field.label}) of ${named(name, type)} have no alternative text: ${list(silent.map(({ entry }) => entry))}`,
            remedy: `${remedy} → the pencil → Alternative text`,
          }),
        ]),
    ...(small.length === 0
      ? []
      : [
          aboutType('picture-small', type, {
            what: `${small.length} pictures (${field.label}) of ${named(name, type)} are smaller than their place of ${place} pixels in width: ${list(small.map(({ entry, file }) => `${entry}: ${file.width} × ${file.height}`))}`,
            remedy: `${remedy} → a larger picture`,
          }),
        ]),
  ];
}
