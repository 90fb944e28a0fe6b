import { beforeThirdLevel, isBelow, parseTag } from './tags.ts';

/** A tag and its cache keys. Most tags have one key, which is stored without a set to save 200 bytes. */
interface CarriedTag {
  readonly tag: string;
  keys: string | Set<string>;
}

/** Limit for the endings of a type. Above it, all names in the index are searched. */
const MAX_ENDINGS = 100;
const ENTRY = /^([^.:=@/]+):[^.:=@/]+/;

/** An index from tags to keys, so that an invalidation visits only entries with its tags. */
export class TagIndex {
  readonly #names = new Map<string, CarriedTag[]>();
  /** Names with at least three separators, by the part before the third, for fast lookups by events. */
  readonly #deep = new Map<string, Set<string>>();

  /**
   * By type, the endings of names below entries, such as `.card`, with their count. Trying each ending finds
   * the names below an entry. Null above MAX_ENDINGS.
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

  keysOf(name: string): string[] {
    return this.#carried(name).flatMap(keysIn);
  }

  outdatedBy(tag: string): string[] {
    const { name, version } = parseTag(tag);
    if (version === null) return [name, ...this.namesBelow(name)].flatMap(known => this.keysOf(known));
    return this.#carried(name)
      .filter(carried => carried.tag !== tag)
      .flatMap(keysIn);
  }

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

function removeKey({ keys }: CarriedTag, key: string): boolean {
  if (typeof keys === 'string') return keys === key;
  keys.delete(key);
  return keys.size === 0;
}

function keysIn({ keys }: CarriedTag): string[] {
  return typeof keys === 'string' ? [keys] : [...keys];
}
