import { pathKey } from '../../shared/routing/redirects.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import type { Config } from '../config.ts';
import { callOf, joined, pageOf } from '../content/content-calls.ts';
import { entryOf, rowsOf } from '../content/decode/wire.ts';
import { labelOf, type ServedType } from '../content/described-types.ts';
import { leadsBack } from '../content/redirects/leads-back.ts';
import { buildRedirectTable, redirectRows } from '../content/redirects/redirect-table.ts';
import { siteRedirects } from '../content/redirects/site-redirects.ts';
import { safeSlug } from '../content/safe-address.ts';
import { previousSlugsOf, renamedQuery } from '../content/slugs/previous-slugs.ts';
import type { Ask } from './ask.ts';
import type { ExaminedType } from './examine-type.ts';
import { EVERY_PAGE, type Finding } from './finding.ts';
import { readPages } from './read-pages.ts';

/** Most findings of one kind. */
const MAX_FINDINGS = 5;
const CLICK = `Strapi: Content Manager → ${labelOf('redirect')}`;

/** An entry by its former path. */
interface Renamed {
  readonly present: string;
  readonly name: string;
  readonly type: ServedType;
  readonly former: string;
}

/** Looks for redirects that do nothing, and for those that lead to the former address of an entry which has their own address now. */
export async function checkRedirects(
  types: readonly ExaminedType[],
  { ask, config }: { ask: Ask; config: Pick<Config, 'publicOrigin' | 'redirectHosts'> },
): Promise<Finding[]> {
  const type = types.find(({ name }) => name === 'redirect')?.type;
  if (!type) return [];
  const rows = redirectRows(await readRows(type, 'sort[0]=createdAt:asc', ask));
  const { table, problems } = buildRedirectTable(
    [...siteRedirects, ...rows],
    config.publicOrigin,
    config.redirectHosts,
  );
  const common = { severity: 'warning', about: 'redirects', pages: EVERY_PAGE, isLogged: true } as const;
  const findings: Finding[] = problems.slice(0, MAX_FINDINGS).map(({ id, from, reason }) => ({
    ...common,
    what: `the redirect ${from === '' ? `with the id ${id}` : `of ${from}`} does nothing: ${reason}`,
    remedy: `${CLICK} → ${from === '' ? 'the row without an old address' : from} → correct or delete it`,
    pages: from === '' ? 'none' : from,
  }));
  if (rows.length === 0) return findings;
  const renamed = await renamedEntries(types, ask);
  for (const { from } of table.exact.values()) {
    const back = await leadsBack(table, from, async path => {
      const key = pathKey(path);
      const entry = key === null ? undefined : renamed.get(key);
      return entry && !(await isTaken(entry, ask)) ? entry.present : null;
    });
    const entry = back === null ? null : renamed.get(pathKey(back) ?? '');
    if (entry)
      findings.push({
        ...common,
        isLogged: false,
        what: `the redirect of ${from} is left out: it leads to ${back}, the former address of the entry that has ${entry.present} now`,
        remedy: `${CLICK} → ${from} → delete it; or Content Manager → ${entry.name} → the entry with the address ${entry.present} → Former addresses → remove '${entry.former}'`,
        pages: from,
      });
  }
  return findings;
}

/** @returns the renamed entries by the keys of their former paths. */
async function renamedEntries(
  types: readonly ExaminedType[],
  ask: Ask,
): Promise<ReadonlyMap<string, Renamed>> {
  const found = new Map<string, Renamed>();
  for (const { name, type, refused } of types) {
    const { route } = type;
    // The addresses of authors and tags may be made from their names, which only the site does.
    if (
      !route ||
      type.fields.slug?.required !== true ||
      refused.has('previousSlugs') ||
      !('previousSlugs' in type.fields)
    )
      continue;
    const isArticle = route === 'blog-article';
    const query = joined(renamedQuery(type), isArticle ? 'populate[category][fields][0]=slug' : '');
    for (const row of await readRows(type, query, ask)) {
      const entry = entryOf(row);
      const slug = safeSlug(entry?.attributes.slug);
      const category = safeSlug(entryOf(entry?.attributes.category)?.attributes.slug);
      if (!entry || slug === null || (isArticle && category === null)) continue;
      const pathOf = (last: string) =>
        route === 'blog-category'
          ? pathTo(route, { category: last })
          : pathTo(route, { category: category ?? '', slug: last } as never);
      for (const former of previousSlugsOf(entry)) {
        const key = pathKey(pathOf(former));
        if (key !== null) found.set(key, { present: pathOf(slug), name: labelOf(name), type, former });
      }
    }
  }
  return found;
}

/** @returns whether another entry has the former slug now. */
async function isTaken({ type, former }: Renamed, ask: Ask): Promise<boolean> {
  const query = `filters[slug][$eq]=${encodeURIComponent(former)}&fields[0]=slug`;
  const { body } = await ask.json(callOf(type, joined(query, pageOf(1, 1))));
  return (rowsOf(body)?.length ?? 0) > 0;
}

async function readRows(type: ServedType, query: string, ask: Ask): Promise<unknown[]> {
  return (await readPages(type, query, ask)).flatMap(body => rowsOf(body) ?? []);
}
