import { steadyNow } from '../ops/steady-clock.ts';
import { isLater, LOG_BEGIN, type LogPosition, laterOf, logPositionOf } from './log-position.ts';
import { namesAbove, parseTag, versionedTag } from './tags.ts';

/** The invalidated tags and their times. A value whose generation began before an invalidation must not be stored after it. */
export interface InvalidationLog {
  /**
   * Notes an invalidation.
   *
   * @param tags the tags of the content that has changed. A tag with a version says which version is current.
   * @param removed whether the content was unpublished or deleted, so that it must not be served stale either.
   * @param order the invalidation's position in the shared log; `pending` until `acknowledge` tells it; none for an invalidation that is of no
   *   concern to other processes.
   */
  note(tags: readonly string[], removed: boolean, order?: LogPosition | 'pending'): void;
  /** Gives pending notes their position in the shared log. */
  acknowledge(tags: readonly string[], removed: boolean, position: LogPosition): void;
  /** Takes back that notes are pending: other processes get another invalidation in their place. */
  disown(tags: readonly string[]): void;
  /** Notes the position of an invalidation that was applied before, perhaps by the last process: its times stay as they are. */
  recall(tags: readonly string[], removed: boolean, position: LogPosition): void;
  /** Notes that the shared log has reached a position. */
  reach(position: LogPosition): void;
  /** @returns the last known position of the shared log. Content that is loaded from now on shows every change up to it. */
  position(): LogPosition;
  /** @returns whether one of the tags was invalidated after a position of the shared log. A pending note is after every position. */
  afterPosition(tags: readonly string[], position: LogPosition): boolean;
  /** @returns whether the content of one of the tags was removed after a position of the shared log. */
  removedAfterPosition(tags: readonly string[], position: LogPosition): boolean;
  /**
   * Forgets all positions, because the shared log was lost and begins again. Everything counts as invalidated, and what was removed as removed, at
   * a position that is pending.
   *
   * @returns the names whose content was removed.
   */
  restart(): readonly string[];
  /** @returns the current position in the log. Positions also order invalidations of the same millisecond. */
  mark(): number;
  /** @returns whether one of the tags was invalidated after a position. */
  after(tags: readonly string[], mark: number): boolean;
  /** @returns whether the content of one of the tags, or of a name above it, was removed after a position. */
  removedAfter(tags: readonly string[], mark: number): boolean;
  /** @returns whether one of the tags was invalidated at or after a time, in ms since the epoch. */
  since(tags: readonly string[], time: number): boolean;
  /** @returns whether the content of one of the tags was removed at or after a time, in ms since the epoch. */
  removedSince(tags: readonly string[], time: number): boolean;
  /** @returns the last invalidation of this very name, without those of names above it; null without one. */
  last(name: string): LastInvalidation | null;
  /** All noted tags, to be saved. */
  entries(): readonly InvalidationEntry[];
  /** Adds saved tags, for the start of a process. What several processes have saved of a tag is joined. */
  restore(entries: readonly InvalidationEntry[]): void;
}

/** The last invalidation of a name. */
export interface LastInvalidation {
  /** The version that was current then; null when it was not known. */
  readonly version: string | null;
  /** ms since the epoch. */
  readonly invalidatedAt: number;
  /** When the content was removed, in ms since the epoch; 0 means never. The last invalidation was a removal when both times are equal. */
  readonly removedAt: number;
}

/**
 * A tag, with the version that was current, and its times in ms since the epoch; 0 means never. The positions in the shared log are those of the
 * invalidation and of the removal.
 */
export type InvalidationEntry = readonly [
  tag: string,
  invalidatedAt: number,
  removedAt: number,
  position?: string | undefined,
  removedPosition?: string | undefined,
];

/** Most tags in the log. The oldest are forgotten first. */
const MAX_TAGS = 20_000;
/** The tag that stands for all tags. */
export const EVERYTHING = '*';

/** @param now the clock, in ms. */
export function createInvalidationLog(now = steadyNow): InvalidationLog {
  const noted = new Map<string, Note>();
  let lastPosition = 0;
  /** The newest time in the log. Most questions are about later ones, so they need no look at the tags. */
  let lastInvalidatedAt = Number.NEGATIVE_INFINITY;
  /** The last known position of the shared log. */
  let reached = LOG_BEGIN;

  function set(name: string, note: Note): void {
    noted.delete(name);
    noted.set(name, note);
    for (const oldest of noted.keys()) {
      if (noted.size <= MAX_TAGS) break;
      noted.delete(oldest);
    }
  }

  /** @returns whether one of the tags was invalidated by a note that counts: on the same name with another version, or on a name above. */
  const isInvalidated = (tags: readonly string[], counts: (note: Note) => boolean) => {
    const isCovered = (name: string) => {
      const note = noted.get(name);
      return note !== undefined && note.version === null && counts(note);
    };
    return (
      isCovered(EVERYTHING) ||
      tags.some(tag => {
        const { name, version } = parseTag(tag);
        const note = noted.get(name);
        const isOutdated = note !== undefined && (note.version === null || note.version !== version);
        return (isOutdated && counts(note)) || namesAbove(name).some(isCovered);
      })
    );
  };

  function reach(position: LogPosition): void {
    reached = laterOf(reached, position);
  }

  function note(tags: readonly string[], removed: boolean, order?: LogPosition | 'pending'): void {
    const at = now();
    lastPosition += 1;
    lastInvalidatedAt = Math.max(lastInvalidatedAt, at);
    for (const tag of tags) {
      const { name, version } = parseTag(tag);
      const before = noted.get(name);
      const times = {
        invalidatedAt: at,
        removedAt: removed ? at : (before?.removedAt ?? 0),
        position: lastPosition,
        removal: removed ? lastPosition : (before?.removal ?? 0),
      };
      const shared = sharedNote(before, order, removed);
      set(name, { version: versionAfter(before, version, order), ...times, shared });
    }
    if (order !== undefined && order !== 'pending') reach(order);
  }

  return {
    note,
    acknowledge(tags, removed, position) {
      for (const tag of tags) {
        const shared = noted.get(parseTag(tag).name)?.shared;
        if (!shared) continue;
        shared.pending = Math.max(0, shared.pending - 1);
        place(shared, position, removed);
      }
      reach(position);
    },
    disown(tags) {
      for (const tag of tags) {
        const shared = noted.get(parseTag(tag).name)?.shared;
        if (shared) shared.pending = Math.max(0, shared.pending - 1);
      }
    },
    recall(tags, removed, position) {
      for (const tag of tags) {
        const { name } = parseTag(tag);
        if (!noted.has(name)) set(name, savedNote([tag, 0, 0]).note);
        const shared = noted.get(name)?.shared;
        if (shared) place(shared, position, removed);
      }
    },
    reach,
    position: () => reached,
    afterPosition: (tags, position) =>
      isInvalidated(tags, ({ shared }) => shared.pending > 0 || isLater(shared.position, position)),
    removedAfterPosition: (tags, position) =>
      tags.some(tag => {
        const shared = noted.get(parseTag(tag).name)?.shared;
        return shared?.removed != null && (shared.pending > 0 || isLater(shared.removed, position));
      }),
    restart() {
      reached = LOG_BEGIN;
      const names: string[] = [];
      for (const [name, { removedAt, shared }] of noted) {
        const isRemoved = removedAt > 0 || shared.removed !== null;
        Object.assign(shared, { ...notShared(), ...(isRemoved ? { removed: LOG_BEGIN, pending: 1 } : {}) });
        if (isRemoved) names.push(name);
      }
      note([EVERYTHING], false, 'pending');
      return names;
    },
    mark: () => lastPosition,
    after: (tags, mark) => lastPosition > mark && isInvalidated(tags, ({ position }) => position > mark),
    removedAfter: (tags, mark) =>
      tags.some(tag => {
        const { name } = parseTag(tag);
        return [name, ...namesAbove(name)].some(each => (noted.get(each)?.removal ?? 0) > mark);
      }),
    since: (tags, time) =>
      lastInvalidatedAt >= time && isInvalidated(tags, ({ invalidatedAt }) => invalidatedAt >= time),
    removedSince: (tags, time) => tags.some(tag => (noted.get(parseTag(tag).name)?.removedAt ?? -1) >= time),
    last: name => noted.get(name) ?? null,
    entries: () =>
      [...noted].map(([name, { version, invalidatedAt, removedAt, shared }]) => {
        const tag = version === null ? name : versionedTag(name, version);
        if (shared.removed !== null) return [tag, invalidatedAt, removedAt, shared.position, shared.removed];
        return shared.position === LOG_BEGIN
          ? [tag, invalidatedAt, removedAt]
          : [tag, invalidatedAt, removedAt, shared.position];
      }),
    restore(entries) {
      for (const entry of entries) {
        const { name, note } = savedNote(entry);
        const before = noted.get(name);
        set(name, before ? joinedNote(before, note) : note);
        lastInvalidatedAt = Math.max(lastInvalidatedAt, note.invalidatedAt);
        reach(note.shared.position);
      }
    },
  };
}

interface Note extends LastInvalidation {
  readonly position: number;
  /** The position of the last removal; 0 means never by this process. */
  readonly removal: number;
  readonly shared: SharedNote;
}

/** The places of a name's last invalidation and last removal in the shared log. */
interface SharedNote {
  position: LogPosition;
  /** Null for a name that was never removed. */
  removed: LogPosition | null;
  /** How many invalidations have no position yet. */
  pending: number;
}

const notShared = (): SharedNote => ({ position: LOG_BEGIN, removed: null, pending: 0 });

function savedNote(entry: InvalidationEntry): { name: string; note: Note } {
  const [tag, invalidatedAt, removedAt, position, removedPosition] = entry;
  const { name, version } = parseTag(tag);
  const shared = {
    position: logPositionOf(position) ?? LOG_BEGIN,
    removed: logPositionOf(removedPosition),
    pending: 0,
  };
  return { name, note: { version, invalidatedAt, removedAt, position: 0, removal: 0, shared } };
}

/** @returns what two processes have noted of a name, as one note. */
function joinedNote(one: Note, other: Note): Note {
  const [earlier, later] = one.invalidatedAt <= other.invalidatedAt ? [one, other] : [other, one];
  const isSameTime = earlier.invalidatedAt === later.invalidatedAt;
  const removed = [one, other].flatMap(({ shared }) => shared.removed ?? []);
  return {
    ...later,
    version: isSameTime && earlier.version !== later.version ? null : later.version,
    removedAt: Math.max(one.removedAt, other.removedAt),
    shared: {
      position: laterOf(one.shared.position, other.shared.position),
      removed: removed.length === 0 ? null : removed.reduce(laterOf),
      pending: 0,
    },
  };
}

function place(shared: SharedNote, position: LogPosition, removed: boolean): void {
  shared.position = laterOf(shared.position, position);
  if (removed) shared.removed = laterOf(shared.removed ?? LOG_BEGIN, position);
}

function sharedNote(before: Note | undefined, order: LogPosition | 'pending' | undefined, removed: boolean) {
  const shared = { ...(before?.shared ?? notShared()) };
  if (order === 'pending') {
    shared.pending += 1;
    if (removed) shared.removed ??= LOG_BEGIN;
  } else if (order !== undefined) place(shared, order, removed);
  return shared;
}

/**
 * @returns the version that is current after a note. Two processes may note different versions at the same time: when the shared log has the other
 *   one first, none is known to be current.
 */
function versionAfter(
  before: Note | undefined,
  version: string | null,
  order: LogPosition | 'pending' | undefined,
): string | null {
  if (!before || order === undefined || order === 'pending' || before.version === version) return version;
  const isOutOfOrder = before.shared.pending > 0 || isLater(before.shared.position, order);
  return isOutOfOrder ? null : version;
}
