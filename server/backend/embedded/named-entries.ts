import { contentTypes } from '../../../shared/content/content-types.ts';
import { contentSources } from './content-types.ts';
import type { SourcedEntry } from './read-content.ts';

const TAGS = contentSources.find(({ route }) => route === contentTypes.tag.path);

/**
 * The tags that articles name need no entry of their own: a name in an article is enough. An entry in `tags.json` adds the description.
 *
 * @returns the entries, and one more for each further tag that an article names.
 */
export function withNamedTags(entries: readonly SourcedEntry[]): readonly SourcedEntry[] {
  if (!TAGS) return entries;
  const source = TAGS;
  const known = new Set(
    entries.flatMap(entry => (entry.source === source ? [entry.name, entry.values.slug] : [])),
  );
  const added = new Map<string, SourcedEntry>();
  // A tag that published articles have is no draft.
  const isDraft = ({ values }: SourcedEntry) => values.draft === true;
  for (const entry of entries.toSorted((a, b) => Number(isDraft(a)) - Number(isDraft(b)))) {
    const { tags } = entry.values;
    for (const name of Array.isArray(tags) ? tags : [])
      if (typeof name === 'string' && !known.has(name) && !added.has(name))
        added.set(name, { ...entry, source, name, values: { name, draft: isDraft(entry) } });
  }
  return [...entries, ...added.values()];
}
