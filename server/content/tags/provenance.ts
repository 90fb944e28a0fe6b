import { createHash } from 'node:crypto';
import { parseTag, versionedTag } from '../../cache/tags/tags.ts';
import type { Steps } from '../../ops/slices.ts';
import { entryTags, FIRST_OF_LIST, partTag, tagNames, tagVersion, VERSION_LENGTH } from './content-tags.ts';

/** The tags of a value's content, and the tag of the entry that it describes (none for lists). */
export interface Provenance {
  tags: readonly string[];
  about?: string | null;
  /** The tags whose versions this content decides. Other versions, and everything below, become stale. */
  decides: readonly string[];
  /** The tags of a list's entries, by name. The index omits them, because there may be thousands. */
  parts?: ReadonlyMap<string, string>;
}

export function wholeProvenance(type: string, ...tags: readonly string[]): Provenance {
  return { tags: [tagNames.whole(type), ...tags], decides: [type] };
}

/** @returns the provenance of a type's entries in full. `.all` means all entries, `.links` their links. */
export function* wholeListProvenance(
  type: string,
  items: readonly ({ id: string } & object)[],
): Steps<Provenance> {
  const parts = new Map<string, string>();
  const all = createHash('sha256');
  const links = createHash('sha256');
  for (const item of items) {
    for (const tag of entryTags(type, item, item.id)) {
      parts.set(parseTag(tag).name, tag);
      all.update(tag);
    }
    links.update(partTag(type, item, item.id, 'link'));
    yield;
  }
  return {
    ...wholeProvenance(
      type,
      versionedTag(`${type}.all`, all.digest('base64url').slice(0, VERSION_LENGTH)),
      versionedTag(`${type}.links`, links.digest('base64url').slice(0, VERSION_LENGTH)),
    ),
    parts,
  };
}

export function* cardListProvenance(
  type: string,
  items: readonly ({ id: string } & object)[],
): Steps<Provenance> {
  const parts = new Map<string, string>();
  for (const item of items) {
    parts.set(tagNames.part(type, item.id, 'card'), partTag(type, item, item.id, 'card'));
    yield;
  }
  return {
    tags: [
      tagNames.any(type),
      ...listTags(tagNames.lists(type), tagNames.list(type, 'all'), items, items.length),
    ],
    decides: [tagNames.list(type, 'all')],
    parts,
  };
}

/** @returns the provenance of a value compared like a list. @param group a tag shared by all such lists. */
export function comparedProvenance(name: string, group: string, value: object): Provenance {
  return { tags: [group, versionedTag(name, tagVersion(value))], decides: [name] };
}

export function anyProvenance(...types: readonly string[]): Provenance {
  return { tags: types.map(tagNames.any), decides: [] };
}

/** @returns the provenance of a lookup. Its tag is invalidated when an entry appears or disappears. */
export function lookupProvenance(
  type: string,
  slug: string,
  found: readonly { id: string; tags: readonly string[] }[],
): Provenance {
  const names = found.map(({ id }) => tagNames.entry(type, id));
  const tags = [tagNames.slug(type, slug), ...new Set(found.flatMap(entry => entry.tags))];
  return { tags, about: names.length === 1 ? (names[0] ?? null) : null, decides: names };
}

export function listTags(
  group: string,
  list: string,
  items: readonly { id: string }[],
  total: number,
): string[] {
  const ids = items.map(({ id }) => id);
  return [
    group,
    versionedTag(list, tagVersion([ids, total])),
    versionedTag(`${list}.first`, tagVersion(ids.slice(0, FIRST_OF_LIST))),
    versionedTag(`${list}.total`, tagVersion(total)),
  ];
}
