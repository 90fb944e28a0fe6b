import { callOf, joined, pageOf, paginationOf } from '../content/content-calls.ts';
import { type ContentProblem, isGiven, type ReportContext } from '../content/decode/decode-context.ts';
import { entryOf, rowsOf } from '../content/decode/wire.ts';
import { PAGE_SIZE } from '../content/lists/all-pages.ts';
import { reportClashes } from '../content/slugs/address-clashes.ts';
import type { Ask } from './ask.ts';
import type { ExaminedType } from './examine-type.ts';
import { type Finding, labelOf, pagesOf } from './finding.ts';

/** Pages of a list that are read. Further entries are not compared: the doctor must not be a load. */
const MAX_PAGES = 5;
/** Most findings of one type. Others are counted. */
const MAX_CLASHES = 5;

/** Looks for entries whose address belongs to another entry or to the site, and for articles without a date. */
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
  const bodies: unknown[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { body, error } = await ask.json(callOf(type, joined(query, pageOf(page, PAGE_SIZE))));
    if (error) break;
    bodies.push(body);
    if (page >= paginationOf(body).pageCount) break;
  }
  const clashes: ContentProblem[] = [];
  const context: ReportContext = {
    at: { type: type.path, id: null, field: null, updatedAt: null },
    report: problem => clashes.push(problem),
  };
  for (const _ of reportClashes(type, bodies, context));
  const common = { severity: 'warning', about: type.path } as const;
  const pages = pagesOf(type);
  const shown = clashes.slice(0, MAX_CLASHES);
  const findings: Finding[] = shown.map(({ id, reason }) => ({
    ...common,
    what: `the entry '${id}' of '${type.path}' has no page: ${reason}`,
    remedy: `Strapi: Content Manager → ${labelOf(name)} → the entry → slug`,
    pages,
    isLogged: true,
  }));
  const more = clashes.length - shown.length;
  if (more > 0)
    findings.push({
      ...common,
      what: `${more} further entries of '${type.path}' have no page, because of their slugs`,
      remedy: `Strapi: Content Manager → ${labelOf(name)}`,
      pages,
      isLogged: true,
    });
  const rows = bodies.flatMap(body => rowsOf(body) ?? []);
  const undated = fields.includes('date')
    ? rows.filter(row => !isGiven(entryOf(row)?.attributes.date)).length
    : 0;
  if (undated > 0)
    findings.push({
      ...common,
      what: `${undated} of ${rows.length} '${type.path}' have no date, so all are listed by the day of their last publishing`,
      remedy: `Strapi: Content Manager → ${labelOf(name)} → give each entry a date`,
      pages,
      isLogged: true,
    });
  return findings;
}
