import type { FieldDescription } from '../../shared/content/descriptions.ts';
import { pathKey } from '../../shared/routing/redirects.ts';
import type { RouteId } from '../../shared/routing/routes.ts';
import { siteRedirects } from '../../site/redirects.ts';
import { siteTypes } from '../../site/types.ts';
import { buildRedirectTable, leadsBack, redirectRows } from '../addresses/redirect-table.ts';
import { safeSlug } from '../addresses/safe-address.ts';
import { pathOfSlug, queryOfRelations, routesOfType } from '../addresses/type-routes.ts';
import type { Config } from '../config/config.ts';
import { reportClashes } from '../content/slugs/address-clashes.ts';
import { previousSlugsOf, renamedQuery } from '../content/slugs/previous-slugs.ts';
import { callOf, joined, pageOf } from '../wire/content-calls.ts';
import { type ContentProblem, isGiven, type ReportContext } from '../wire/decode-context.ts';
import { labelOf } from '../wire/described-types.ts';
import { entryOf, rowsOf, textOf, unwrap, type WireEntry } from '../wire/wire.ts';
import type { Ask } from './ask.ts';
import { type ExaminedType, entriesOf, hasField, placeOf, placesOf } from './examine-type.ts';
import { aboutType, type Finding, finding, named, quotedList } from './finding.ts';

const MAX_FINDINGS = 5;
const CONTENT_MANAGER = 'Strapi: Content Manager';

export function checkSlugs(examined: ExaminedType): Finding[] {
  const { name, type, listing } = examined;
  if (listing === null || !hasField(examined, 'slug')) return [];
  const { bodies } = listing;
  const click = `${CONTENT_MANAGER} → ${labelOf(name)}`;
  const clashes: ContentProblem[] = [];
  const context: ReportContext = {
    at: { type: type.path, id: null, field: null, updatedAt: null },
    report: problem => clashes.push(problem),
  };
  for (const _ of reportClashes(type, bodies, context));
  const findings = clashes.slice(0, MAX_FINDINGS).map(({ id, kind, reason }) =>
    aboutType(kind === 'address-reserved' ? 'slug-reserved' : 'slug-clash', type, {
      what: `the entry '${id}' of ${named(name, type)} has no page: ${reason}`,
      remedy: `${click} → the entry → Address (slug)`,
    }),
  );
  const more = clashes.length - findings.length;
  if (more > 0)
    findings.push(
      aboutType('slug-clashes-more', type, {
        what: `${more} further entries of ${named(name, type)} have no page, because of their slugs`,
        remedy: click,
      }),
    );
  const entries = bodies.flatMap(entriesOf);
  const lacking = (field: string, isThere: (value: unknown) => boolean) =>
    hasField(examined, field) ? entries.filter(({ attributes }) => !isThere(attributes[field])) : [];
  const homeless = lacking('category', value => entryOf(value) !== null);
  // If every entry lacks a category, a permission is missing, which `checkFields` reports.
  if (homeless.length > 0 && homeless.length < entries.length) {
    const shown = homeless.map(({ id, attributes }) => textOf(attributes.slug) ?? id);
    findings.push(
      aboutType('category-absent', type, {
        what: `${homeless.length} of ${entries.length} entries of ${named(name, type)} have no category, so they have no address and are not shown: ${firstOf(shown)}`,
        remedy: `${click} → the entry → Category`,
      }),
    );
  }
  const undated = lacking('date', isGiven).length;
  if (undated > 0)
    findings.push(
      aboutType('date-absent', type, {
        what: `${undated} of ${entries.length} entries of ${named(name, type)} have no date, so all are listed by the day of their last publishing`,
        remedy: `${click} → give each entry a date`,
      }),
    );
  return findings;
}

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
  // Skip SVG files, which are sharp at any size.
  const small = shown.filter(
    ({ file: { width, url } }) =>
      typeof width === 'number' && width < place && !/\.svg(?:$|[?#])/i.test(String(url)),
  );
  const remedy = `Strapi: Content Manager → ${labelOf(name)} → the entry → ${field.label}`;
  const findings: Finding[] = [];
  if (silent.length > 0)
    findings.push(
      aboutType('alternative-text-absent', type, {
        what: `${silent.length} pictures (${field.label}) of ${named(name, type)} have no alternative text: ${firstOf(silent.map(({ entry }) => entry))}`,
        remedy: `${remedy} → the pencil → Alternative text`,
      }),
    );
  if (small.length > 0)
    findings.push(
      aboutType('picture-small', type, {
        what: `${small.length} pictures (${field.label}) of ${named(name, type)} are smaller than their place of ${place} pixels in width: ${firstOf(small.map(({ entry, file }) => `${entry}: ${file.width} × ${file.height}`))}`,
        remedy: `${remedy} → a larger picture`,
      }),
    );
  return findings;
}

function firstOf(words: readonly string[]): string {
  return quotedList(words.slice(0, MAX_FINDINGS)) + (words.length > MAX_FINDINGS ? ' …' : '');
}

interface Renamed {
  readonly present: string;
  readonly examined: ExaminedType;
  readonly former: string;
}

export async function checkRedirects(
  types: readonly ExaminedType[],
  { ask, config }: { ask: Ask; config: Pick<Config, 'publicOrigin' | 'redirectHosts'> },
): Promise<Finding[]> {
  const listing = types.find(({ type }) => type.path === siteTypes.redirect.path)?.listing;
  if (!listing) return [];
  const click = `${CONTENT_MANAGER} → ${siteTypes.redirect.label}`;
  const rows = redirectRows(listing.bodies.flatMap(body => rowsOf(body) ?? []));
  const { publicOrigin, redirectHosts } = config;
  const { table, problems } = buildRedirectTable([...siteRedirects, ...rows], publicOrigin, redirectHosts);
  const findings = problems.slice(0, MAX_FINDINGS).map(({ id, from, reason }) =>
    finding('redirect-idle', {
      what: `the redirect ${from === '' ? `with the id ${id}` : `of ${from}`} does nothing: ${reason}`,
      remedy: `${click} → ${from === '' ? 'the row without an old address' : from} → correct or delete it`,
      pages: from === '' ? 'none' : from,
    }),
  );
  if (rows.length === 0) return findings;
  const renamed = await renamedEntries(types, ask);
  for (const { from } of table.exact.values()) {
    const back = await leadsBack(table, from, async path => {
      const entry = renamed.get(pathKey(path) ?? '');
      return entry && !(await isTaken(entry, ask)) ? entry.present : null;
    });
    const entry = back === null ? null : renamed.get(pathKey(back) ?? '');
    if (entry)
      findings.push(
        finding('redirect-leads-back', {
          what: `the redirect of ${from} is left out: it leads to ${back}, the former address of the entry that has ${entry.present} now`,
          remedy: `${click} → ${from} → delete it; or Content Manager → ${labelOf(entry.examined.name)} → the entry with the address ${entry.present} → Former addresses → remove '${entry.former}'`,
          pages: from,
        }),
      );
  }
  return findings;
}

async function renamedEntries(
  types: readonly ExaminedType[],
  ask: Ask,
): Promise<ReadonlyMap<string, Renamed>> {
  const found = new Map<string, Renamed>();
  for (const examined of types) {
    const { path, fields } = examined.type;
    const { route } = routesOfType(path);
    // Skip authors and tags, because the site may make their addresses from names.
    if (!route || fields.slug?.required !== true || !hasField(examined, 'previousSlugs')) continue;
    for (const entry of await mayBeRenamed(examined, route, ask)) {
      const pathOf = (slug: string | null) => slug && pathOfSlug(route, entry.attributes, slug);
      const present = pathOf(safeSlug(entry.attributes.slug));
      if (present === null) continue;
      for (const former of previousSlugsOf(entry)) {
        const key = pathKey(pathOf(former) ?? '');
        if (key !== null) found.set(key, { present, examined, former });
      }
    }
  }
  return found;
}

async function mayBeRenamed({ type, listing }: ExaminedType, route: RouteId, ask: Ask): Promise<WireEntry[]> {
  const query = () => joined(renamedQuery(type), queryOfRelations(route));
  const { bodies } = listing?.isWhole ? listing : await ask.list(type, query());
  return bodies.flatMap(entriesOf);
}

async function isTaken({ examined: { type, listing }, former }: Renamed, ask: Ask): Promise<boolean> {
  if (listing?.isWhole)
    return listing.bodies.flatMap(entriesOf).some(({ attributes }) => attributes.slug === former);
  const query = `filters[slug][$eq]=${encodeURIComponent(former)}&fields[0]=slug`;
  const { body } = await ask.json(callOf(type, joined(query, pageOf(1, 1))));
  return (rowsOf(body)?.length ?? 0) > 0;
}
