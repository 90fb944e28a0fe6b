import { SingleFlight } from '../../cache/single-flight.ts';
import type { InvalidationLog } from '../../cache/tags/invalidation-log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { tagNames } from '../tags/content-tags.ts';

interface KnownSlugsOptions {
  /** @returns the canonical slugs; null if the list changed during the read. */
  read: (type: ServedType) => Promise<ReadonlySet<string> | null>;
  invalidations: Pick<InvalidationLog, 'mark' | 'after'>;
  ttlMs: number;
  now?: () => number;
}

/** Limits for the unknown slugs of a type that reach the backend: a burst, then a number each second. */
const ASKED_AT_ONCE = 20;
const ASKED_PER_SECOND = 1;
const RETRY_AFTER_MS = 5_000;

interface Reading {
  slugs: ReadonlySet<string>;
  startedAt: number;
  mark: number;
}

/**
 * Knows all slugs of each type, and spares the backend while many unknown slugs are requested. A few unknown
 * slugs always reach the backend, so that new entries are found at once.
 */
export class KnownSlugs {
  readonly #options: KnownSlugsOptions;
  readonly #now: () => number;
  readonly #readings = new Map<string, Reading>();
  readonly #failedAt = new Map<string, number>();
  readonly #allowances = new Map<string, { left: number; at: number }>();
  readonly #flights = new SingleFlight();

  constructor(options: KnownSlugsOptions) {
    this.#options = options;
    this.#now = options.now ?? steadyNow;
  }

  /** @returns when a read of all slugs showed that this one is missing; null if the backend must be asked. */
  absentSince({ path }: ServedType, slug: string): number | null {
    if (this.#allowanceOf(path) >= 1) return null;
    const reading = this.#current(path);
    return reading && !reading.slugs.has(slug) ? reading.startedAt : null;
  }

  noteAbsent(type: ServedType): void {
    const { path } = type;
    const now = this.#now();
    const left = this.#allowanceOf(path) - 1;
    this.#allowances.set(path, { left: Math.max(0, left), at: now });
    const hasJustFailed = now - (this.#failedAt.get(path) ?? Number.NEGATIVE_INFINITY) < RETRY_AFTER_MS;
    if (left >= 1 || hasJustFailed || this.#flights.has(path) || this.#current(path)) return;
    void this.#flights.run(path, () => this.#readAll(type));
  }

  #allowanceOf(path: string): number {
    const now = this.#now();
    const { left, at } = this.#allowances.get(path) ?? { left: ASKED_AT_ONCE, at: now };
    return Math.min(ASKED_AT_ONCE, left + ((now - at) / 1_000) * ASKED_PER_SECOND);
  }

  #current(path: string): Reading | null {
    const reading = this.#readings.get(path);
    if (!reading) return null;
    const { invalidations, ttlMs } = this.#options;
    const ageMs = this.#now() - reading.startedAt;
    const isCurrent =
      ageMs >= 0 && ageMs < ttlMs && !invalidations.after([tagNames.slugs(path)], reading.mark);
    if (!isCurrent) this.#readings.delete(path);
    return isCurrent ? reading : null;
  }

  async #readAll(type: ServedType): Promise<void> {
    const { read, invalidations } = this.#options;
    const start = { startedAt: this.#now(), mark: invalidations.mark() };
    // Ignore the failure, which the calls report. Until a retry, each slug goes to the backend.
    const slugs = await read(type).catch(() => null);
    if (slugs) this.#readings.set(type.path, { slugs, ...start });
    else this.#failedAt.set(type.path, this.#now());
  }
}
