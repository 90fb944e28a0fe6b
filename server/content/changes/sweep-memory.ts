import * as z from 'zod';
import type { DiskHealth } from '../../cache/disk/disk-health.ts';
import { openProcessFile } from '../../cache/disk/process-file.ts';
import { boundedMap } from '../../ops/bounded-map.ts';
import type { Logger } from '../../ops/log.ts';
import type { ChangedRow } from './last-changes.ts';

const MAX_REMEMBERED = 2_000;

export const stateSchema = z.object({ newest: z.string(), time: z.string(), total: z.number() });
export type TypeState = z.infer<typeof stateSchema>;

interface SweepMemoryOptions {
  /** The file that keeps the states for the next process, because events are lost while none runs. */
  file: string;
  /** Resolves when all invalidations so far are on disk, so that the next process cannot miss them. */
  invalidationsSaved: () => Promise<void>;
  health?: DiskHealth;
  log: Logger;
}

export class SweepMemory {
  readonly #states = new Map<string, TypeState>();
  readonly #received = boundedMap<true>(MAX_REMEMBERED);
  readonly #reportedRemovals = new Map<string, number>();
  /** Removed entries, whose tags may still be in memory. */
  readonly #removed = boundedMap<true>(MAX_REMEMBERED);
  readonly #invalidationsSaved: () => Promise<void>;
  readonly #file: { changed(): void; settled(): Promise<void> };

  constructor({ file, invalidationsSaved, health, log }: SweepMemoryOptions) {
    this.#invalidationsSaved = invalidationsSaved;
    this.#file = openProcessFile({
      file,
      log,
      name: 'content sweep',
      decode: value => z.record(z.string(), stateSchema).parse(value),
      // Accept the state of any process, because all share the invalidation log.
      restore: saved => {
        for (const [type, state] of Object.entries(saved)) this.#states.set(type, state);
      },
      value: () => Object.fromEntries(this.#states),
      health,
    });
  }

  stateOf(type: string): TypeState | undefined {
    return this.#states.get(type);
  }

  setState(type: string, state: TypeState): void {
    this.#states.set(type, state);
    this.#reportedRemovals.delete(type);
    void this.#invalidationsSaved().then(() => this.#file.changed());
  }

  swept(type: string, state: TypeState): void {
    // Forget removals, because entries may have come back. Finding a removal twice is harmless.
    this.#removed.clear();
    this.setState(type, state);
  }

  received(type: string, row: ChangedRow, isRemoval: boolean): void {
    this.#received.set(nameOf(type, row), true);
    if (isRemoval) {
      this.noteRemoved(type, row.ids);
      this.#reportedRemovals.set(type, this.reportedRemovals(type) + 1);
    } else this.noteBack(type, row.ids);
  }

  isReceived(type: string, row: ChangedRow): boolean {
    return this.#received.has(nameOf(type, row));
  }

  reportedRemovals(type: string): number {
    return this.#reportedRemovals.get(type) ?? 0;
  }

  noteRemoved(type: string, [id]: readonly string[]): void {
    if (id !== undefined) this.#removed.set(`${type} ${id}`, true);
  }

  noteBack(type: string, ids: Iterable<string>): void {
    for (const id of ids) this.#removed.delete(`${type} ${id}`);
  }

  isRemoved(type: string, id: string): boolean {
    return this.#removed.has(`${type} ${id}`);
  }

  async settled(): Promise<void> {
    await this.#invalidationsSaved();
    await this.#file.settled();
  }
}

export function nameOf(type: string, { ids, updatedAt, publishedAt }: ChangedRow): string {
  return [type, ...ids, updatedAt, publishedAt].join(' ');
}
