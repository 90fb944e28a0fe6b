import type { InvalidationLog } from '../../cache/invalidation-log.ts';
import { SingleFlight } from '../../cache/single-flight.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import { tagNames } from '../content-tags.ts';
import type { ServedType } from '../described-types.ts';

/**
 * The slugs of all entries of a type, for a time in which many unknown slugs are asked for. They answer such requests in place of the backend.
 * A few unknown slugs are always asked for at the backend, so that a new entry is found at once.
 */
export interface KnownSlugs {
  /**
   * @returns when the slugs were read in which a slug is missing, in ms since the epoch; null when the backend has to be asked.
   */
  absentSince(type: ServedType, slug: string): number | null;
  /** Notes that the backend has no entry with a slug. Many such notes begin a reading of all slugs. */
  noteAbsent(type: ServedType): void;
}

export interface KnownSlugsOptions {
  /** @returns the slugs of a type in their canonical form; null when the list has changed during the reading. */
  read: (type: ServedType) => Promise<ReadonlySet<string> | null>;
  invalidations: Pick<InvalidationLog, 'mark' | 'after'>;
  /** How long slugs count after the beginning of their reading, in ms: as long as content is fresh. */
  ttlMs: number;
  /** The clock, in ms. */
  now?: () => number;
}

/** Unknown slugs of a type that are asked for at the backend: so many at once, and so many a second after these. */
const ASKED_AT_ONCE = 20;
const ASKED_PER_SECOND = 1;
/** The pause after a reading that has failed, in ms. */
const RETRY_AFTER_MS = 5_000;

/** The slugs of a type, and the beginning of their reading: by the clock, and among the invalidations. */
interface Reading {
  slugs: ReadonlySet<string>;
  startedAt: number;
  mark: number;
}

/** The unknown slugs that may still be asked for at the backend. */
interface Allowance {
  left: number;
  at: number;
}

/** @returns a memory without slugs. */
export function createKnownSlugs({
  read,
  invalidations,
  ttlMs,
  now = steadyNow,
}: KnownSlugsOptions): KnownSlugs {
  const readings = new Map<string, Reading>();
  const failedAt = new Map<string, number>();
  const allowances = new Map<string, Allowance>();
  const flights = new SingleFlight();

  function allowanceOf(path: string): number {
    const { left, at } = allowances.get(path) ?? { left: ASKED_AT_ONCE, at: now() };
    return Math.min(ASKED_AT_ONCE, left + ((now() - at) / 1_000) * ASKED_PER_SECOND);
  }

  /** @returns the slugs of a type, unless an entry may have come since they were read. */
  function current(path: string): Reading | null {
    const reading = readings.get(path);
    if (!reading) return null;
    const ageMs = now() - reading.startedAt;
    const isCurrent =
      ageMs >= 0 && ageMs < ttlMs && !invalidations.after([tagNames.slugs(path)], reading.mark);
    if (!isCurrent) readings.delete(path);
    return isCurrent ? reading : null;
  }

  async function readAll(type: ServedType): Promise<void> {
    const start = { startedAt: now(), mark: invalidations.mark() };
    // The calls report their failures themselves. Meanwhile the backend is asked for each slug.
    const slugs = await read(type).catch(() => null);
    if (slugs) readings.set(type.path, { slugs, ...start });
    else failedAt.set(type.path, now());
  }

  return {
    absentSince({ path }, slug) {
      if (allowanceOf(path) >= 1) return null;
      const reading = current(path);
      return reading && !reading.slugs.has(slug) ? reading.startedAt : null;
    },
    noteAbsent(type) {
      const { path } = type;
      const left = allowanceOf(path) - 1;
      allowances.set(path, { left: Math.max(0, left), at: now() });
      const hasJustFailed = now() - (failedAt.get(path) ?? Number.NEGATIVE_INFINITY) < RETRY_AFTER_MS;
      if (left >= 1 || hasJustFailed || flights.has(path) || current(path)) return;
      void flights.run(path, () => readAll(type));
    },
  };
}
