import {
  componentOf,
  type FieldDescription,
  type FieldDescriptions,
} from '../../shared/content/content-types.ts';
import { placeOfPermissions } from '../content/answer-meaning.ts';
import { isObject, rowsOf, textOf, unwrap, type WireEntry } from '../content/decode/wire.ts';
import { descriptionOf, labelOf, permissionLabelOf } from '../content/described-types.ts';
import { type OwnedField, panelField, remedyForMissing } from '../content/panel-fields.ts';
import { sectionName } from '../content/rich-text/section-names.ts';
import type { ExaminedType } from './examine-type.ts';
import { type Finding, named, pagesOf } from './finding.ts';

type Kind = FieldDescription['kind'];

/** Kinds whose values the site cannot use when they have another form. Every form of JSON has its own line when it is decoded. */
const TEXTS: readonly Kind[] = ['text', 'slug', 'address', 'date', 'source-text'];
const LINKS: readonly Kind[] = ['picture', 'file', 'files', 'relation', 'component'];

/** A field of a type, or of a type inside it. */
interface FieldAt extends OwnedField {
  /** With the fields that it is inside: `paymentBlockImages.image`. */
  readonly path: string;
  readonly isAbsent: boolean;
  /** The values that entries have in it. */
  readonly values: readonly unknown[];
}

/**
 * Looks for fields that the type lacks, for relations whose type the site may not read, and for fields of another kind.
 *
 * @param refusedTypes the types that the site may not read, by path. They have findings of their own.
 * @param hasToken whether CONTENT_TOKEN is set.
 */
export function checkFields(
  { name, type, entries, refused, json }: ExaminedType,
  refusedTypes: ReadonlySet<string>,
  hasToken = false,
): Finding[] {
  const common = { about: type.path };
  const builder = `Strapi: Content-Type Builder → ${labelOf(name)}`;
  const fields = fieldsOf({ owner: name, fields: type.fields, prefix: '' }, entries, refused, json);
  const absent = fields.filter(({ isAbsent }) => isAbsent);
  const findings: Finding[] = [];

  /** Adds one finding for several fields. */
  function missing(found: readonly FieldAt[], severity: Finding['severity'], isLogged: boolean): void {
    if (found.length === 0) return;
    const costs = found.map(({ path, field }) => `'${path}'${field.optional ? ` (${field.optional})` : ''}`);
    findings.push({
      ...common,
      ...{ severity, isLogged },
      ...(severity === 'warning' ? { mayStay: true } : {}),
      pages: [...new Set(found.map(({ path }) => pagesOf(type, path)))].join(', '),
      what: `${named(name, type)} lacks the ${found.length === 1 ? 'field' : 'fields'} ${costs.join(', ')}`,
      remedy: remedyForMissing(found),
    });
  }

  // A relation that the backend accepts in a call and does not send is one to a type without permission.
  const hidden = absent.filter(({ path, field }) => field.kind === 'relation' && !refused.has(path));
  const lacking = absent.filter(one => !hidden.includes(one));
  for (const { path, field } of hidden) {
    const target = 'target' in field ? field.target : path;
    if (refusedTypes.has(descriptionOf(target).path ?? '')) continue;
    findings.push({
      ...common,
      severity: 'error',
      pages: pagesOf(type, path),
      what: `${named(name, type)} comes without '${path}': the site may not read “${labelOf(target)}”`,
      remedy: `${placeOfPermissions(hasToken)} → ${permissionLabelOf(target)} → allow find`,
      isLogged: true,
    });
  }
  const isNeeded = ({ field }: FieldAt) => (field.required && !field.optional) || field.emptyMeans;
  missing(lacking.filter(isNeeded), 'error', true);
  const others = lacking.filter(one => !isNeeded(one));
  missing(
    others.filter(({ field }) => !field.optional),
    'warning',
    false,
  );
  missing(
    others.filter(({ field }) => field.optional),
    'warning',
    true,
  );
  for (const { path, field, values, isAbsent } of fields) {
    if (field.emptyMeans && !isAbsent && entries.length > 0 && !values.some(textOf))
      findings.push({
        ...common,
        severity: 'error',
        pages: pagesOf(type, path),
        what: `the field '${path}' of ${named(name, type)} is empty: ${field.emptyMeans}`,
        remedy: `Strapi: Content Manager → ${labelOf(name)}: fill in '${path}'`,
        isLogged: false,
      });
    const unknown = field.kind === 'zone' ? unknownSections(values) : [];
    if (unknown.length > 0)
      findings.push({
        ...common,
        severity: 'warning',
        pages: pagesOf(type, path),
        what: `the dynamic zone '${path}' of ${named(name, type)} has sections that the site does not know: ${unknown.join(', ')}`,
        remedy: `${builder} → ${path}: take the components out, or have the site learn them (docs/editors.md); until then their texts and links are shown`,
        isLogged: true,
      });
    const form = values.map(value => wrongForm(field.kind, value)).find(wrong => wrong !== null);
    if (!form) continue;
    findings.push({
      ...common,
      severity: field.kind === 'rich-text' || field.required ? 'error' : 'warning',
      pages: pagesOf(type, path),
      what: `the field '${path}' of ${named(name, type)} is ${form}, which the site does not show`,
      remedy: `${builder}: delete the field and add it again as ${panelField(field)}, after you have saved its content elsewhere`,
      isLogged: false,
    });
  }
  return findings;
}

/** @returns the fields of entries, with those of the components and hidden types inside them. Types with a path are examined by themselves. */
function fieldsOf(
  { owner, fields, prefix }: { owner: string; fields: FieldDescriptions; prefix: string },
  entries: readonly WireEntry[],
  refused: ReadonlySet<string>,
  json: ReadonlySet<string>,
): FieldAt[] {
  const isTop = prefix === '';
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    // An entry is whole without an optional field that others stand in for, and the type lacks it all the same.
    const names = [name, ...(field.optional ? [] : (field.orElse ?? []))];
    const isSent = names.some(each => entries.some(({ attributes }) => Object.hasOwn(attributes, each)));
    const values = entries.map(({ attributes }) => unwrap(attributes[name]));
    const isAbsent = refused.has(isTop ? name : `${owner}.${name}`) || (entries.length > 0 && !isSent);
    const own = { owner, name, path, field, isAbsent, values };
    const target = isTop && json.has(name) ? null : targetOf(field);
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

/** @returns the name of the type inside a field that no call of its own examines: a component, or a type without a path. */
function targetOf(field: FieldDescription): string | null {
  const name = componentOf(field) ?? ('target' in field ? field.target : null);
  return name === null || descriptionOf(name).path !== null ? null : name;
}

/** @returns the names of components in dynamic zones that have no reader. */
function unknownSections(zones: readonly unknown[]): string[] {
  const sections = zones.flatMap(zone => rowsOf(zone) ?? []);
  const names = sections.flatMap(section => (isObject(section) ? (textOf(section.__component) ?? []) : []));
  return [...new Set(names)].filter(name => sectionName(name) === null);
}

/** @returns the form of a value that is not of its field's kind, in words; null for a value that is. */
function wrongForm(kind: Kind, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (kind === 'rich-text' || kind === 'source-text') {
    if (typeof value === 'string') return null;
    if (Array.isArray(value)) return null;
    return isObject(value) ? 'a component' : `a ${typeof value}`;
  }
  if (TEXTS.includes(kind))
    return textOf(value) === null && value !== '' && typeof value !== 'string' ? nameOf(value) : null;
  if (LINKS.includes(kind)) return typeof value === 'object' ? null : nameOf(value);
  return null;
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a component or relation' : `a ${typeof value}`;
}
