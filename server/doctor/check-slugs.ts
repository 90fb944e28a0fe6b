import { joined } from '../content/content-calls.ts';
import { type ContentProblem, isGiven, type ReportContext } from '../content/decode/decode-context.ts';
import { entryOf, rowsOf, textOf } from '../content/decode/wire.ts';
import { labelOf } from '../content/described-types.ts';
import { reportClashes } from '../content/slugs/address-clashes.ts';
import type { Ask } from './ask.ts';
import type { ExaminedType } from './examine-type.ts';
import { type Finding, named, pagesOf, quotedList } from './finding.ts';
import { readPages } from './read-pages.ts';

/** Most findings of one type. Others are counted. */
const MAX_CLASHES = 5;

/** Looks for entries whose address belongs to another entry or to the site, and for articles without a category or a date. */
export async function checkSlugs(examined: ExaminedType, ask: Ask): Promise<Finding[]> {
  const { name, type, refused } = examined;
  const has = (field: string) => field in type.fields && !refused.has(field);
  if (!has('slug')) return [];
  const fields = ['slug', 'createdAt', ...(has('date') && type.fields.date ? ['date'] : [])];
  const query = joined(
    fields.map((field, index) => `fields[${index}]=${field}`).join('&'),
    has('category') ? 'populate[category][fields][0]=slug' : '',
    'sort[0]=createdAt:asc',
  );
  const bodies = await readPages(type, query, ask);
  const clashes: ContentProblem[] = [];
  const context: ReportContext = {
    at: { type: type.path, id: null, field: null, updatedAt: null },
    report: problem => clashes.push(problem),
  };
  for (const _ of reportClashes(type, bodies, context));
  const common = { severity: 'warning', about: type.path } as const;
  const pages = pagesOf(type);
  const shown = clashes.slice(0, MAX_CLASHES);
  const findings: Finding[] = shown.map(({ id, kind, reason }) => ({
    ...common,
    severity: kind === 'address-reserved' ? 'error' : 'warning',
    what: `the entry '${id}' of ${named(name, type)} has no page: ${reason}`,
    remedy: `Strapi: Content Manager → ${labelOf(name)} → the entry → Address (slug)`,
    pages,
    isLogged: true,
  }));
  const more = clashes.length - shown.length;
  if (more > 0)
    findings.push({
      ...common,
      what: `${more} further entries of ${named(name, type)} have no page, because of their slugs`,
      remedy: `Strapi: Content Manager → ${labelOf(name)}`,
      pages,
      isLogged: true,
    });
  const rows = bodies.flatMap(body => rowsOf(body) ?? []);
  const homeless = has('category') ? rows.flatMap(withoutCategory) : [];
  // A relation that is missing everywhere is one without permission.
  if (homeless.length > 0 && homeless.length < rows.length)
    findings.push({
      ...common,
      what: `${homeless.length} of ${rows.length} entries of ${named(name, type)} have no category, so they have no address and are not shown: ${quotedList(homeless.slice(0, MAX_CLASHES))}${homeless.length > MAX_CLASHES ? ' …' : ''}`,
      remedy: `Strapi: Content Manager → ${labelOf(name)} → the entry → Category`,
      pages,
      isLogged: true,
    });
  const undated = fields.includes('date')
    ? rows.filter(row => !isGiven(entryOf(row)?.attributes.date)).length
    : 0;
  if (undated > 0)
    findings.push({
      ...common,
      what: `${undated} of ${rows.length} entries of ${named(name, type)} have no date, so all are listed by the day of their last publishing`,
      remedy: `Strapi: Content Manager → ${labelOf(name)} → give each entry a date`,
      pages,
      isLogged: true,
    });
  return findings;
}

/** @returns the slug of an entry without a category, or its id. */
function withoutCategory(row: unknown): string[] {
  const entry = entryOf(row);
  if (!entry || entryOf(entry.attributes.category) !== null) return [];
  return [textOf(entry.attributes.slug) ?? entry.id];
}
