import { beforeThirdLevel, isBelow, parseTag } from './tags.ts';

/** A tag, and the keys that carry it. Most tags have one key, and a set of one key takes two hundred bytes. */
interface CarriedTag {
  readonly tag: string;
  keys: string | Set<string>;
}

/** The most endings that are remembered of a type. For a type with more, the names of all entries are searched. */
const MAX_ENDINGS = 100;
/** The name of an entry at the beginning of a name, such as `articles:42`, and its type. */
const ENTRY = /^([^.:=@/]+):[^.:=@/]+/;

/** An index from tags to keys: an invalidation visits only the entries with its tags. */
export class TagIndex {
  /** The tags of each name: one for each of its versions, which are few. */
  readonly #names = new Map<string, CarriedTag[]>();
  /**
   * The names with three separators and more, by the part before the third. There are few of them: an event asks for the names below several lists,
   * and to look through the names of all entries for each would take a hundred ms with 5,000 pages.
   */
  readonly #deep = new Map<string, Set<string>>();

  /**
   * For each type the endings of the names below its entries, such as `.card`, with the number of names that have it. A type has few endings, so the names
   * below one entry are found by trying each ending. Null for a type with more than MAX_ENDINGS.
   */
  readonly #endings = new Map<string, Map<string, number> | null>();

  add(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const { name } = parseTag(tag);
      const known = this.#names.get(name);
      const carried = known?.find(other => other.tag === tag);
      if (carried) addKey(carried, key);
      else if (known) known.push({ tag, keys: key });
      else {
        this.#names.set(name, [{ tag, keys: key }]);
        this.#countEnding(name, 1);
        const head = beforeThirdLevel(name);
        if (head === null || head === name) continue;
        const below = this.#deep.get(head);
        if (below) below.add(name);
        else this.#deep.set(head, new Set([name]));
      }
    }
  }

  remove(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const { name } = parseTag(tag);
      const known = this.#names.get(name);
      const carried = known?.find(other => other.tag === tag);
      if (!known || !carried || !removeKey(carried, key)) continue;
      known.splice(known.indexOf(carried), 1);
      if (known.length === 0) this.#forget(name);
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
    const [entry, type = ''] = ENTRY.exec(name) ?? [];
    const endings = entry === name ? this.#endings.get(type) : null;
    if (endings === undefined) return [];
    if (endings !== null)
      return [...endings.keys()].map(ending => name + ending).filter(known => this.#names.has(known));
    const head = beforeThirdLevel(name);
    const names = head === null ? this.#names.keys() : (this.#deep.get(head) ?? []);
    return [...names].filter(known => isBelow(known, name));
  }

  /** @returns the versions of a name that entries carry; null stands for a tag without a version. */
  versionsOf(name: string): ReadonlySet<string | null> {
    return new Set(this.#carried(name).map(({ tag }) => parseTag(tag).version));
  }

  #countEnding(name: string, change: 1 | -1): void {
    const [entry = '', type = ''] = ENTRY.exec(name) ?? [];
    if (entry === '' || entry === name) return;
    const known = this.#endings.get(type);
    if (known === null) return;
    const endings = known ?? new Map<string, number>();
    const ending = name.slice(entry.length);
    const count = (endings.get(ending) ?? 0) + change;
    if (count > 0) endings.set(ending, count);
    else endings.delete(ending);
    this.#endings.set(type, endings.size > MAX_ENDINGS ? null : endings);
  }

  #forget(name: string): void {
    this.#names.delete(name);
    this.#countEnding(name, -1);
    const head = beforeThirdLevel(name);
    const below = head === null ? undefined : this.#deep.get(head);
    if (head === null || !below?.delete(name)) return;
    if (below.size === 0) this.#deep.delete(head);
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
