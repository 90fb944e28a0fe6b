import { pathKey } from '../../shared/routing/redirects.ts';
import type { FoundLink } from './links-in.ts';

/** What the table stores about an entry, or about a single type. */
export interface LinkedEntry {
  readonly type: string;
  /** Null for content that is not an entry, such as all redirects. */
  readonly id: string | null;
  readonly title: string;
  readonly path: string | null;
  /** The time from which the page is shown, in ms since the epoch; null for a page that is always shown. */
  readonly from: number | null;
  readonly until: number | null;
  readonly links: readonly FoundLink[];
}

export class LinkTable {
  readonly #types = new Map<string, Map<string | null, LinkedEntry>>();
  readonly #byPath = new Map<string, LinkedEntry>();

  get entries(): readonly LinkedEntry[] {
    return [...this.#types.values()].flatMap(entries => [...entries.values()]);
  }

  entry(type: string, id: string): LinkedEntry | undefined {
    return this.#types.get(type)?.get(id);
  }

  at(path: string): LinkedEntry | undefined {
    return this.#byPath.get(pathKey(path) ?? '');
  }

  put(entry: LinkedEntry): void {
    this.remove(entry.type, entry.id);
    const entries = this.#types.get(entry.type) ?? new Map();
    this.#types.set(entry.type, entries.set(entry.id, entry));
    const key = entry.path === null ? null : pathKey(entry.path);
    if (key !== null) this.#byPath.set(key, entry);
  }

  remove(type: string, id: string | null): void {
    const entry = this.#types.get(type)?.get(id);
    this.#types.get(type)?.delete(id);
    const key = pathKey(entry?.path ?? '');
    if (key !== null && this.#byPath.get(key) === entry) this.#byPath.delete(key);
  }

  /** Removes all entries of a type except those with the given ids. */
  keep(type: string, ids: ReadonlySet<string | null>): void {
    for (const id of this.#types.get(type)?.keys() ?? []) if (!ids.has(id)) this.remove(type, id);
  }

  linkingTo(path: string, pathOf: (href: string) => string | null): readonly LinkedEntry[] {
    const key = pathKey(path);
    const leadsThere = ({ href }: FoundLink) => pathKey(pathOf(href)?.split(/[?#]/, 1)[0] ?? '') === key;
    return this.entries.filter(({ links }) => links.some(leadsThere));
  }
}
