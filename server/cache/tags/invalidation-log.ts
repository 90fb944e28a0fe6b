import * as z from 'zod';
import { steadyNow } from '../../ops/steady-clock.ts';
import { isLater, LOG_BEGIN, LOG_END, type LogPosition, laterOf, logPositionOf } from './log-position.ts';
import { namesAbove, parseTag, versionedTag } from './tags.ts';

interface LastInvalidation {
  /** The current version of the content; null if unknown. */
  readonly version: string | null;
  readonly invalidatedAt: number;
  /** The time of the last removal, in ms since the epoch; 0 if none. A removal also sets `invalidatedAt`. */
  readonly removedAt: number;
}

/**
 * Saved notes: the tag, the times of its last invalidation and removal in ms, and their positions. A time
 * of 0 means never.
 */
export const savedNotesSchema = z.array(
  z.tuple([z.string(), z.number(), z.number(), z.string().optional(), z.string().optional()]),
);
type SavedNote = z.infer<typeof savedNotesSchema>[number];

interface Note extends LastInvalidation {
  /** The number of the last invalidation in this process; 0 means none. */
  readonly mark: number;
  readonly removal: number;
  readonly position: LogPosition;
  readonly removedPosition: LogPosition | null;
}

const MAX_TAGS = 20_000;
/** The tag that matches all tags. */
export const EVERYTHING = '*';

/** Records invalidations, so that a value whose tags were invalidated during its generation is not fresh. */
export class InvalidationLog {
  readonly #now: () => number;
  readonly #onChange: () => void;
  readonly #notes = new Map<string, Note>();
  #mark = 0;
  /** The time of the latest invalidation. Most calls of `since` ask about later times and compare no tag. */
  #lastInvalidatedAt = Number.NEGATIVE_INFINITY;
  #position = LOG_BEGIN;
  /** The position up to which this process may have missed changes. */
  #doubtedUpTo = LOG_BEGIN;

  constructor(now: () => number = steadyNow, onChange: () => void = () => {}) {
    this.#now = now;
    this.#onChange = onChange;
  }

  /**
   * @param tags the changed tags. A version in a tag is the current one.
   * @param position the position of another replica's change. For this process's changes `place` sets it.
   */
  note(tags: readonly string[], removed: boolean, position?: LogPosition): void {
    const at = this.#now();
    this.#mark += 1;
    this.#lastInvalidatedAt = Math.max(this.#lastInvalidatedAt, at);
    for (const tag of tags) {
      const { name, version } = parseTag(tag);
      const before = this.#notes.get(name);
      // In the shared log, this change comes before another change that this process has already noted.
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
    this.#onChange();
  }

  /** Sets the shared log position of a change of this process. */
  place(tags: readonly string[], removed: boolean, position: LogPosition): void {
    for (const tag of tags) {
      const { name, version } = parseTag(tag);
      const note = this.#notes.get(name);
      if (!note) continue;
      const isLast = isLater(position, note.position);
      this.#notes.set(name, {
        ...note,
        // The version is unknown: another replica's change was noted later, but is earlier in the shared log.
        version: isLast && note.version !== version ? null : note.version,
        position: laterOf(note.position, position),
        removedPosition: removed ? position : note.removedPosition,
      });
    }
    this.reach(position);
    this.#onChange();
  }

  reach(position: LogPosition): void {
    this.#position = laterOf(this.#position, position);
  }

  /** Forgets all positions: changes up to `position` may be missing, and the shared log may be a new one. */
  doubt(position: LogPosition): void {
    this.#doubtedUpTo = position;
    this.#position = position;
    for (const [name, note] of this.#notes) {
      const removedPosition = isRemoved(note) ? position : null;
      this.#notes.set(name, { ...note, position: LOG_BEGIN, removedPosition });
    }
    this.#onChange();
  }

  removedNames(): readonly string[] {
    return [...this.#notes].flatMap(([name, note]) => (isRemoved(note) ? [name] : []));
  }

  position(): LogPosition {
    return this.#position;
  }

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

  /** @returns the number of the last invalidation. Numbers also order invalidations within a millisecond. */
  mark(): number {
    return this.#mark;
  }

  after(tags: readonly string[], mark: number): boolean {
    return this.#mark > mark && this.#isInvalidated(tags, note => note.mark > mark);
  }

  /** @returns whether a tag, or a name above it, was removed after the invalidation numbered `mark`. */
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

  /** @returns the last invalidation of exactly this name, without names above it. */
  last(name: string): LastInvalidation | null {
    return this.#notes.get(name) ?? null;
  }

  entries(): readonly SavedNote[] {
    return [...this.#notes].map(([name, note]) => {
      const tag = note.version === null ? name : versionedTag(name, note.version);
      const times: [string, number, number] = [tag, note.invalidatedAt, note.removedAt];
      const { position, removedPosition } = note;
      // Skip the position of a removal that Redis has not acknowledged: the next process could not use it.
      if (removedPosition !== null && removedPosition !== LOG_END)
        return [...times, position, removedPosition];
      return position === LOG_BEGIN ? times : [...times, position];
    });
  }

  restore(entries: readonly SavedNote[]): void {
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

  /**
   * @returns whether a note accepted by `counts` invalidates a tag. A note with a version invalidates tags of
   * its name without this version. A note without a version invalidates its name and all names below.
   */
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

function savedNote(entry: SavedNote): { name: string; note: Note } {
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
