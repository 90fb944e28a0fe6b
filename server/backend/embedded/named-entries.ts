import { contentTypes } from '../../../shared/content/content-types.ts';
import { contentSources, type Json } from './content-types.ts';
import type { SourcedEntry } from './read-content.ts';

const TAGS = contentSources.find(({ route }) => route === contentTypes.tag.path);

/**
 * The tags that articles name need no entry of their own: a name in an article is enough. An entry in `tags.json` adds the description. Names
 * are compared without case and without blanks around them.
 *
 * @returns the entries, and one more for each further tag that an article names. These come after the entries of `tags.json`, so that they take
 *   no address away from one, and are sorted by name, so that an address does not depend on the article that was saved last.
 */
export function withNamedTags(entries: readonly SourcedEntry[]): readonly SourcedEntry[] {
  if (!TAGS) return entries;
  const source = TAGS;
  const known = new Set(
    entries.flatMap(({ source: { type }, name, values }) =>
      type === source.type ? [comparable(name), comparable(values.slug)] : [],
    ),
  );
  const added = new Map<string, SourcedEntry>();
  // A tag that published articles have is no draft.
  const isDraft = ({ values }: SourcedEntry) => values.draft === true;
  const byFile = entries.toSorted(
    (a, b) => Number(isDraft(a)) - Number(isDraft(b)) || inOrder(a.file, b.file),
  );
  for (const entry of byFile) {
    const { tags } = entry.values;
    for (const text of Array.isArray(tags) ? tags : []) {
      const key = comparable(text);
      if (key === null || key === '' || known.has(key) || added.has(key)) continue;
      const name = String(text).trim();
      added.set(key, { ...entry, source, name, file: source.path, values: { name, draft: isDraft(entry) } });
    }
  }
  return [...entries, ...[...added.values()].toSorted((a, b) => inOrder(a.name, b.name))];
}

/** @returns whether a text in an article names an entry of a list, such as `tags.json`. */
export function isNameOf({ source, name }: SourcedEntry, text: Json): boolean {
  return source.kind === 'list' && comparable(text) === comparable(name);
}

/** @returns a name for comparisons; null for any other value. */
function comparable(value: Json | undefined): string | null {
  return typeof value === 'string' ? value.trim().normalize('NFC').toLowerCase() : null;
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
