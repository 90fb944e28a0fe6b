import type { FieldDescription } from '../../shared/content/descriptions.ts';
import { labelOf } from '../wire/described-types.ts';
import { entryOf, textOf, unwrap, type WireEntry } from '../wire/wire.ts';
import { type ExaminedType, entriesOf, hasField, placeOf, placesOf } from './examine-type.ts';
import { aboutType, type Finding, named, quotedList } from './finding.ts';

/** Limit for the entries that a finding names. */
const MAX_NAMED = 5;

/** Looks for pictures without alternative texts, and for those that are smaller than their place. */
export function checkPictures(examined: ExaminedType): Finding[] {
  const { type, listing } = examined;
  const fields = placesOf(type).filter(name => hasField(examined, name));
  const entries = listing?.bodies.flatMap(entriesOf) ?? [];
  return fields.flatMap(field => {
    const shown = entries.flatMap(({ id, attributes }) => {
      const file = entryOf([unwrap(attributes[field])].flat()[0]);
      const entry = textOf(attributes.slug) ?? textOf(attributes.name) ?? id;
      return file ? [{ entry, file: file.attributes }] : [];
    });
    const description: FieldDescription | undefined = type.fields[field];
    return description ? findingsOf(examined, description, shown) : [];
  });
}

function findingsOf(
  { name, type }: ExaminedType,
  field: FieldDescription,
  shown: readonly { readonly entry: string; readonly file: WireEntry['attributes'] }[],
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
