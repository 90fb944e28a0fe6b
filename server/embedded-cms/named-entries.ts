import { siteTypes } from '../../site/types.ts';
import { inOrder } from '../wire/wire.ts';
import { contentSources, type Json } from './content-types.ts';
import { isDraft, type SourcedEntry } from './read-content.ts';

const TAGS = contentSources.find(({ route }) => route === siteTypes.tag.path);

/**
 * Adds an entry for each tag of an article that `tags.json` lacks, ignoring case. Added tags come last, so
 * that they take no address of a tag in the file. They are sorted, so that edits change no address.
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
  // Read drafts last, so that a tag in published articles is not added as a draft.
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

export function entryNamed(
  entries: readonly SourcedEntry[],
  type: string,
  value: Json,
): SourcedEntry | undefined {
  const candidates = entries.filter(({ source }) => source.type === type);
  const isNamed = ({ source, name }: SourcedEntry) =>
    name === value || (source.kind === 'list' && comparable(name) === comparable(value));
  return candidates.find(({ values }) => values.slug === value) ?? candidates.find(isNamed);
}

function comparable(value: Json | undefined): string | null {
  return typeof value === 'string' ? value.trim().normalize('NFC').toLowerCase() : null;
}
