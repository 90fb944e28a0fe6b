import { steadyNow } from '../../ops/steady-clock.ts';
import { isLater, LOG_BEGIN, LOG_END, type LogPosition, laterOf, logPositionOf } from './log-position.ts';
import { namesAbove, parseTag, versionedTag } from './tags.ts';

export interface LastInvalidation {
  /** The version that was current; null if unknown. */
  readonly version: string | null;
  readonly invalidatedAt: number;
  /** In ms since the epoch; 0 means never. It equals `invalidatedAt` after a removal. */
  readonly removedAt: number;
}

/** Times in ms since the epoch (0 means never), and positions in the shared log. */
export type InvalidationEntry = readonly [
  tag: string,
  invalidatedAt: number,
  removedAt: number,
  position?: string | undefined,
  removedPosition?: string | undefined,
];

interface Note extends LastInvalidation {
  /** 0 means never by this process. */
  readonly mark: number;
  readonly removal: number;
  readonly position: LogPosition;
  /** Null for a name that was never removed. */
  readonly removedPosition: LogPosition | null;
}

const MAX_TAGS = 20_000;
/** The tag that stands for all tags. */
export const EVERYTHING = '*';

/** Records invalidations. A value whose generation began before one must not be stored after it. */
export class InvalidationLog {
  readonly #now: () => number;
  readonly #notes = new Map<string, Note>();
  #mark = 0;
  /** Answers questions about later times, which are most, without a search for the tags. */
  #lastInvalidatedAt = Number.NEGATIVE_INFINITY;
  #position = LOG_BEGIN;
  /** This process may have missed changes up to this position. */
  #doubtedUpTo = LOG_BEGIN;

  constructor(now: () => number = steadyNow) {
    this.#now = now;
  }

  /**
   * @param tags the changed tags. A tag with a version names the current version.
   * @param position the place of another replica's change in the shared log. `place` sets that of an own one.
   */
  note(tags: readonly string[], removed: boolean, position?: LogPosition): void {
    const at = this.#now();
    this.#mark += 1;
    this.#lastInvalidatedAt = Math.max(this.#lastInvalidatedAt, at);
    for (const tag of tags) {
      const { name, version } = parseTag(tag);
      const before = this.#notes.get(name);
      // This process's own change comes later in the shared log, although it was noted earlier.
      const isOvertaken = position !== undefined && before && isLater(before.position, position);
      this.#set(name, {
        version: isOvertaken && before.version !== version ? null : version,
        invalidatedAt: at,
        removedAt: removed ? at : (before?.removedAt ?? 0),
        mark: this.#mark,
        removal: removed ? this.#mark : (before?.removal ?? 0),
        position: laterOf(before?.position ?? LOG_BEGIN, position ?? LOG_BEGIN),
        removedPosition: removed ? (position ?? LOG_END) : (before?.removedPosition ?? null),
      });
    }
  }

  /** Notes where the shared log has a change of this process. */
  place(tags: readonly string[], removed: boolean, position: LogPosition): void {
    for (const tag of tags) {
      const { name, version } = parseTag(tag);
      const note = this.#notes.get(name);
      if (!note) continue;
      const isLast = isLater(position, note.position);
      this.#notes.set(name, {
        ...note,
        // This change comes later in the shared log than another replica's, which announced another version.
        version: isLast && note.version !== version ? null : note.version,
        position: laterOf(note.position, position),
        removedPosition: removed ? position : note.removedPosition,
      });
    }
    this.reach(position);
  }

  reach(position: LogPosition): void {
    this.#position = laterOf(this.#position, position);
  }

  /** Forgets all positions: this process may have missed changes up to `position`, and the log may be new. */
  doubt(position: LogPosition): void {
    this.#doubtedUpTo = position;
    this.#position = position;
    for (const [name, note] of this.#notes) {
      const removedPosition = isRemoved(note) ? position : null;
      this.#notes.set(name, { ...note, position: LOG_BEGIN, removedPosition });
    }
  }

  removedNames(): readonly string[] {
    return [...this.#notes].flatMap(([name, note]) => (isRemoved(note) ? [name] : []));
  }

  position(): LogPosition {
    return this.#position;
  }

  /** @returns whether this process may have missed changes that came after a position. */
  isDoubted(position: LogPosition): boolean {
    return isLater(this.#doubtedUpTo, position);
  }

  afterPosition(tags: readonly string[], position: LogPosition): boolean {
    return this.#isInvalidated(tags, note => isLater(note.position, position));
  }

  removedAfterPosition(tags: readonly string[], position: LogPosition): boolean {
    return tags.some(tag => {
      const removed = this.#notes.get(parseTag(tag).name)?.removedPosition ?? null;
      return removed !== null && isLater(removed, position);
    });
  }

  /** @returns the number of the last invalidation. It also orders invalidations of the same millisecond. */
  mark(): number {
    return this.#mark;
  }

  after(tags: readonly string[], mark: number): boolean {
    return this.#mark > mark && this.#isInvalidated(tags, note => note.mark > mark);
  }

  /** Includes removals of names above the tags. */
  removedAfter(tags: readonly string[], mark: number): boolean {
    return tags.some(tag => {
      const { name } = parseTag(tag);
      return [name, ...namesAbove(name)].some(each => (this.#notes.get(each)?.removal ?? 0) > mark);
    });
  }

  since(tags: readonly string[], time: number): boolean {
    return (
      this.#lastInvalidatedAt >= time &&
      this.#isInvalidated(tags, ({ invalidatedAt }) => invalidatedAt >= time)
    );
  }

  removedSince(tags: readonly string[], time: number): boolean {
    return tags.some(tag => (this.#notes.get(parseTag(tag).name)?.removedAt ?? -1) >= time);
  }

  /** @returns the last invalidation of exactly this name. Names above it do not count. */
  last(name: string): LastInvalidation | null {
    return this.#notes.get(name) ?? null;
  }

  entries(): readonly InvalidationEntry[] {
    return [...this.#notes].map(([name, note]) => {
      const tag = note.version === null ? name : versionedTag(name, note.version);
      const times = [tag, note.invalidatedAt, note.removedAt] as const;
      const { position, removedPosition } = note;
      // A removal that is not shared yet has no position that the next process could use.
      if (removedPosition !== null && removedPosition !== LOG_END)
        return [...times, position, removedPosition];
      return position === LOG_BEGIN ? times : [...times, position];
    });
  }

  /** Merges the entries that several processes have saved. */
  restore(entries: readonly InvalidationEntry[]): void {
    for (const entry of entries) {
      const { name, note } = savedNote(entry);
      const before = this.#notes.get(name);
      this.#set(name, before ? joinedNote(before, note) : note);
      this.#lastInvalidatedAt = Math.max(this.#lastInvalidatedAt, note.invalidatedAt);
      this.reach(note.position);
    }
  }

  #set(name: string, note: Note): void {
    this.#notes.delete(name);
    this.#notes.set(name, note);
    for (const oldest of this.#notes.keys()) {
      if (this.#notes.size <= MAX_TAGS) break;
      this.#notes.delete(oldest);
    }
  }

  /** @returns whether a counting note is on a tag's name, without that very version, or on a name above. */
  #isInvalidated(tags: readonly string[], counts: (note: Note) => boolean): boolean {
    const isCovered = (name: string) => {
      const note = this.#notes.get(name);
      return note !== undefined && note.version === null && counts(note);
    };
    return (
      isCovered(EVERYTHING) ||
      tags.some(tag => {
        const { name, version } = parseTag(tag);
        const note = this.#notes.get(name);
        const isOutdated = note !== undefined && (note.version === null || note.version !== version);
        return (isOutdated && counts(note)) || namesAbove(name).some(isCovered);
      })
    );
  }
}

const isRemoved = ({ removedAt, removedPosition }: Note) => removedAt > 0 || removedPosition !== null;

function savedNote(entry: InvalidationEntry): { name: string; note: Note } {
  const [tag, invalidatedAt, removedAt, position, removedPosition] = entry;
  const { name, version } = parseTag(tag);
  const note = {
    version,
    invalidatedAt,
    removedAt,
    mark: 0,
    removal: 0,
    position: logPositionOf(position) ?? LOG_BEGIN,
    removedPosition: logPositionOf(removedPosition),
  };
  return { name, note };
}

function joinedNote(one: Note, other: Note): Note {
  const [earlier, later] = one.invalidatedAt <= other.invalidatedAt ? [one, other] : [other, one];
  const isSameTime = earlier.invalidatedAt === later.invalidatedAt;
  const removed = [one, other].flatMap(({ removedPosition }) => removedPosition ?? []);
  return {
    ...later,
    version: isSameTime && earlier.version !== later.version ? null : later.version,
    removedAt: Math.max(one.removedAt, other.removedAt),
    position: laterOf(one.position, other.position),
    removedPosition: removed.length === 0 ? null : removed.reduce(laterOf),
  };
}
