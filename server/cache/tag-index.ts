/** An index from tags to keys: an invalidation visits only the entries with its tags. */
export class TagIndex {
  readonly #keys = new Map<string, Set<string>>();

  add(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = this.#keys.get(tag);
      if (keys) keys.add(key);
      else this.#keys.set(tag, new Set([key]));
    }
  }

  remove(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = this.#keys.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(tag);
    }
  }

  /** @returns the keys that carry a tag. */
  keysOf(tag: string): ReadonlySet<string> {
    return this.#keys.get(tag) ?? new Set();
  }
}
