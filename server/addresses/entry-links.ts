import { isObject } from '../wire/wire.ts';

/** Matches a text's link to an entry: `entry:articles:42`, with the path of the type and the id. */
const ENTRY_LINK = /^entry:([a-z-]{1,40}):(\w{1,40})$/;
const IN_JSON = /"href":"(entry:[^"]+)"/g;

export type EntryLink = `entry:${string}`;

export function isEntryLink(address: unknown): address is EntryLink {
  return typeof address === 'string' && ENTRY_LINK.test(address);
}

export function entryOfLink(link: EntryLink): { readonly type: string; readonly id: string } {
  const [, type = '', id = ''] = ENTRY_LINK.exec(link) ?? [];
  return { type, id };
}

export function entryLinksIn(json: string): readonly string[] {
  return Array.from(json.matchAll(IN_JSON), ([, link = '']) => link);
}

/**
 * @param pathOf finds the path of an entry's page; null for an entry without one.
 * @returns decoded content with paths in place of links to entries. A link without a path becomes a `span`.
 */
export function withPaths<T>(content: T, pathOf: (link: EntryLink) => string | null): T {
  // The casts are safe: a copy has the type of the original, and a `span` is a node.
  const copy = (value: unknown): unknown => {
    if (value instanceof Map) return new Map(Array.from(value, ([key, one]) => [key, copy(one)]));
    if (Array.isArray(value)) {
      const [tag, attributes, children] = value as unknown[];
      if (tag !== 'a' || !isObject(attributes) || !isEntryLink(attributes.href)) return value.map(copy);
      const href = pathOf(attributes.href);
      return href === null ? ['span', null, copy(children)] : [tag, { ...attributes, href }, copy(children)];
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]));
  };
  return copy(content) as T;
}
