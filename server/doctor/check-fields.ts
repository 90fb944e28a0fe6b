import {
  componentOf,
  type FieldDescription,
  type FieldDescriptions,
  MEDIA_KINDS,
} from '../../shared/content/descriptions.ts';
import { placeOfPermissions } from '../content/requests/answer-meaning.ts';
import { type OwnedField, panelField, remedyForMissing } from '../content/requests/panel-fields.ts';
import { zoneKind } from '../rich-text/sources/texts-for-readers.ts';
import { descriptionOf, labelOf, permissionLabelOf } from '../wire/described-types.ts';
import { isObject, rowsOf, textOf, unwrap, type WireEntry } from '../wire/wire.ts';
import type { ExaminedType } from './examine-type.ts';
import { aboutType, type Finding, type FindingCode, named } from './finding.ts';

type Kind = FieldDescription['kind'];

/** Kinds whose values must be texts. The doctor leaves JSON of a wrong structure to the decoders. */
const TEXTS: readonly Kind[] = ['text', 'slug', 'address', 'date'];
const LINKS: readonly Kind[] = [...MEDIA_KINDS, 'relation', 'component'];

interface FieldAt extends OwnedField {
  readonly path: string;
  readonly isAbsent: boolean;
  readonly values: readonly unknown[];
}

/** @param refusedTypes paths of types that the site may not read. Other checks report them. */
export function checkFields(
  { name, type, entries, refused, json }: ExaminedType,
  refusedTypes: ReadonlySet<string>,
  hasToken = false,
): Finding[] {
  const fields = fieldsOf({ owner: name, fields: type.fields, prefix: '' }, entries, refused, json);
  // A relation that the CMS accepts but omits from responses is hidden: the site may lack a permission.
  const isHidden = ({ path, field }: FieldAt) => field.kind === 'relation' && !refused.has(path);
  const absent = fields.filter(({ isAbsent }) => isAbsent);
  const hidden = absent.filter(isHidden).flatMap(({ path, field }) => {
    const target = 'target' in field ? field.target : path;
    if (refusedTypes.has(descriptionOf(target).path ?? '')) return [];
    const what = `${named(name, type)} comes without '${path}': the site may not read “${labelOf(target)}”`;
    const remedy = `${placeOfPermissions(hasToken)} → ${permissionLabelOf(target)} → allow find`;
    return [aboutType('relation-forbidden', type, { what, remedy }, [path])];
  });
  const lacking = Map.groupBy(
    absent.filter(one => !isHidden(one)),
    ({ field }) => absenceOf(field),
  );
  const missing = [...lacking].map(([code, found]) => {
    const costs = found.map(({ path, field }) => `'${path}'${field.optional ? ` (${field.optional})` : ''}`);
    const what = `${named(name, type)} lacks the ${found.length === 1 ? 'field' : 'fields'} ${costs.join(', ')}`;
    const paths = found.map(({ path }) => path);
    return aboutType(code, type, { what, remedy: remedyForMissing(found) }, paths);
  });
  return [...hidden, ...missing, ...fields.flatMap(field => checkValues(field, name, type, entries.length))];
}

function absenceOf({ required, optional, emptyMeans }: FieldDescription): FindingCode {
  if ((required && !optional) || emptyMeans) return 'needed-field-absent';
  return optional ? 'optional-field-absent' : 'field-absent';
}

function checkValues(
  { path, field, values, isAbsent }: FieldAt,
  name: string,
  type: ExaminedType['type'],
  entries: number,
): Finding[] {
  const subject = `'${path}' of ${named(name, type)}`;
  const builder = `Strapi: Content-Type Builder → ${labelOf(name)}`;
  const one = (code: FindingCode, what: string, remedy: string, more: Partial<Finding> = {}) =>
    aboutType(code, type, { what, remedy, ...more }, [path]);
  const isEmpty = field.emptyMeans && !isAbsent && entries > 0 && !values.some(textOf);
  const unknown = field.kind === 'zone' ? unknownSections(values).join(', ') : '';
  const form = values.map(value => wrongForm(field.kind, value)).find(wrong => wrong !== null);
  const severity = field.kind === 'rich-text' || field.required ? 'error' : 'warning';
  return [
    isEmpty
      ? one(
          'field-empty',
          `the field ${subject} is empty: ${field.emptyMeans}`,
          `Strapi: Content Manager → ${labelOf(name)}: fill in '${path}'`,
        )
      : [],
    unknown === ''
      ? []
      : one(
          'section-unknown',
          `the dynamic zone ${subject} has sections that the site does not know: ${unknown}`,
          `${builder} → ${path}: take the components out, or have the site learn them (docs/editors.md); until then their texts and links are shown`,
        ),
    form
      ? one(
          'field-of-another-kind',
          `the field ${subject} is ${form}, which the site does not show`,
          `${builder}: delete the field and add it again as ${panelField(field)}, after you have saved its content elsewhere`,
          { severity },
        )
      : [],
  ].flat();
}

function fieldsOf(
  { owner, fields, prefix }: { owner: string; fields: FieldDescriptions; prefix: string },
  entries: readonly WireEntry[],
  refused: ReadonlySet<string>,
  json: ReadonlySet<string>,
): FieldAt[] {
  const isTop = prefix === '';
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    // `orElse` names substitutes for a missing field. An optional field is reported even if it has one.
    const names = [name, ...(field.optional ? [] : (field.orElse ?? []))];
    const isSent = names.some(each => entries.some(({ attributes }) => Object.hasOwn(attributes, each)));
    const values = entries.map(({ attributes }) => unwrap(attributes[name]));
    const key = isTop ? name : `${owner}.${name}`;
    const isAbsent = refused.has(key) || (entries.length > 0 && !isSent);
    const own = { owner, name, path, field, isAbsent, values };
    const target = json.has(key) ? null : targetOf(field);
    if (isAbsent || target === null) return [own];
    const inner = values.flatMap(value => rowsOf(value) ?? [value]).filter(isObject);
    const innerEntries = inner.map(row => ({
      id: '',
      attributes: isObject(row.attributes) ? row.attributes : row,
    }));
    const inside = { owner: target, fields: descriptionOf(target).fields, prefix: `${path}.` };
    return [own, ...fieldsOf(inside, innerEntries, refused, json)];
  });
}

function targetOf(field: FieldDescription): string | null {
  const name = componentOf(field)?.name ?? ('target' in field ? field.target : null);
  return name === null || descriptionOf(name).path !== null ? null : name;
}

function unknownSections(zones: readonly unknown[]): string[] {
  const sections = zones.flatMap(zone => rowsOf(zone) ?? []);
  const names = sections.flatMap(section => (isObject(section) ? (textOf(section.__component) ?? []) : []));
  return [...new Set(names)].filter(name => !zoneKind(name));
}

function wrongForm(kind: Kind, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const isText = typeof value === 'string';
  const isFit =
    kind === 'rich-text'
      ? isText || Array.isArray(value)
      : TEXTS.includes(kind)
        ? isText || textOf(value) !== null
        : !LINKS.includes(kind) || typeof value === 'object';
  return isFit ? null : nameOf(value);
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a component or relation' : `a ${typeof value}`;
}
