import { isBelow, parseTag } from './tags.ts';

/** A tag, and the keys that carry it. Most tags have one key, and a set of one key takes two hundred bytes. */
interface CarriedTag {
  readonly tag: string;
  keys: string | Set<string>;
}

/** An index from tags to keys: an invalidation visits only the entries with its tags. */
export class TagIndex {
  /** The tags of each name: one for each of its versions, which are few. */
  readonly #names = new Map<string, CarriedTag[]>();

  add(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const { name } = parseTag(tag);
      const known = this.#names.get(name);
      const carried = known?.find(other => other.tag === tag);
      if (carried) addKey(carried, key);
      else if (known) known.push({ tag, keys: key });
      else this.#names.set(name, [{ tag, keys: key }]);
    }
  }

  remove(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const { name } = parseTag(tag);
      const known = this.#names.get(name);
      const carried = known?.find(other => other.tag === tag);
      if (!known || !carried || !removeKey(carried, key)) continue;
      known.splice(known.indexOf(carried), 1);
      if (known.length === 0) this.#names.delete(name);
    }
  }

  /** @returns the keys that carry a name, whatever its version. */
  keysOf(name: string): string[] {
    return this.#carried(name).flatMap(keysIn);
  }

  /**
   * @returns the keys that the invalidation of a tag makes stale. With a version: those that carry the name with another version or
   *   without one. Without a version: those that carry the name or a name below it. A key may be in the list twice.
   */
  outdatedBy(tag: string): string[] {
    const { name, version } = parseTag(tag);
    if (version === null) return [name, ...this.namesBelow(name)].flatMap(known => this.keysOf(known));
    return this.#carried(name)
      .filter(carried => carried.tag !== tag)
      .flatMap(keysIn);
  }

  /** @returns the names below a name that entries carry. */
  namesBelow(name: string): string[] {
    return [...this.#names.keys()].filter(known => isBelow(known, name));
  }

  /** @returns the versions of a name that entries carry; null stands for a tag without a version. */
  versionsOf(name: string): ReadonlySet<string | null> {
    return new Set(this.#carried(name).map(({ tag }) => parseTag(tag).version));
  }

  #carried(name: string): readonly CarriedTag[] {
    return this.#names.get(name) ?? [];
  }
}

function addKey(carried: CarriedTag, key: string): void {
  if (typeof carried.keys !== 'string') carried.keys.add(key);
  else if (carried.keys !== key) carried.keys = new Set([carried.keys, key]);
}

/** @returns whether no key is left. */
function removeKey({ keys }: CarriedTag, key: string): boolean {
  if (typeof keys === 'string') return keys === key;
  keys.delete(key);
  return keys.size === 0;
}

function keysIn({ keys }: CarriedTag): string[] {
  return typeof keys === 'string' ? [keys] : [...keys];
}
