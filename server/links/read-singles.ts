import { siteTypes } from '../../site/types.ts';
import type { ContentSource } from '../content/reading/collecting-reader.ts';
import type { ServedType } from '../wire/described-types.ts';
import type { LinkedEntry } from './link-table.ts';
import { type FoundLink, linksIn } from './links-in.ts';

type Source = Pick<ContentSource, 'api' | 'cache' | 'ask'>;

/** Reads content that every page has, or of which there is one: from the cache. */
export async function readSingles(
  { api, cache, ask }: Source,
  signal: AbortSignal,
): Promise<readonly LinkedEntry[]> {
  const options = { ask, signal };
  const found: LinkedEntry[] = [];
  const requests = [api.settings(), api.landing(), api.mainPage(), api.categories(), api.socials()] as const;
  for (const request of requests) {
    const content = await cache.read<object>(request, options).catch(() => null);
    if (content) found.push(...entriesIn(request.type, content.value.value));
  }
  const { exact, wildcards } = (await cache.read(api.redirects(), options)).value.value;
  const rows = [...exact.values(), ...wildcards.values()];
  // A rest of the path may follow the target of a wildcard, and only its visitors know which.
  const links = rows.flatMap(({ to, joinsRest }) =>
    to === '' || joinsRest ? [] : { field: 'to', href: to },
  );
  return [...found, entryOf(siteTypes.redirect, null, siteTypes.redirect.label, links)];
}

function entriesIn(type: ServedType, value: object): readonly LinkedEntry[] {
  const { list } = value as { list?: readonly { id: string; name: string }[] };
  const entries: typeof list = Array.isArray(value) ? value : list;
  if (!entries) return [entryOf(type, null, type.label, linksIn(value))];
  return entries.map(one => entryOf(type, one.id, one.name ?? type.label, linksIn(one)));
}

function entryOf(
  { path: type }: ServedType,
  id: string | null,
  title: string,
  links: readonly FoundLink[],
): LinkedEntry {
  return { type, id, title, path: null, from: null, until: null, links };
}
