import { isBelow, parseTag } from './tags.ts';

/** The keys that carry a name, by the version that they carry. */
type KeysByVersion = Map<string | null, Set<string>>;

/** An index from tags to keys: an invalidation visits only the entries with its tags. */
export class TagIndex {
  readonly #names = new Map<string, KeysByVersion>();

  add(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const { name, version } = parseTag(tag);
      const versions: KeysByVersion = this.#names.get(name) ?? new Map();
      this.#names.set(name, versions);
      const keys = versions.get(version);
      if (keys) keys.add(key);
      else versions.set(version, new Set([key]));
    }
  }

  remove(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const { name, version } = parseTag(tag);
      const versions = this.#names.get(name);
      const keys = versions?.get(version);
      keys?.delete(key);
      if (keys?.size === 0) versions?.delete(version);
      if (versions?.size === 0) this.#names.delete(name);
    }
  }

  /** @returns the keys that carry a name, whatever its version. */
  keysOf(name: string): string[] {
    return [...(this.#names.get(name)?.values() ?? [])].flatMap(keys => [...keys]);
  }

  /**
   * @returns the keys that the invalidation of a tag makes stale. With a version: those that carry the name with another version or
   *   without one. Without a version: those that carry the name or a name below it. A key may be in the list twice.
   */
  outdatedBy(tag: string): string[] {
    const { name, version } = parseTag(tag);
    if (version === null) return [name, ...this.namesBelow(name)].flatMap(known => this.keysOf(known));
    return [...(this.#names.get(name) ?? [])]
      .filter(([carried]) => carried !== version)
      .flatMap(([, keys]) => [...keys]);
  }

  /** @returns the names below a name that entries carry. */
  namesBelow(name: string): string[] {
    return [...this.#names.keys()].filter(known => isBelow(known, name));
  }

  /** @returns the versions of a name that entries carry; null stands for a tag without a version. */
  versionsOf(name: string): ReadonlySet<string | null> {
    return new Set(this.#names.get(name)?.keys());
  }
}
