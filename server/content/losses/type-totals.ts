import * as z from 'zod';
import type { DiskHealth } from '../../cache/disk-health.ts';
import { openProcessFile } from '../../cache/process-file.ts';
import type { Logger } from '../../ops/log.ts';

/** A loss that is not believed yet. */
export interface Hold {
  /** The entries that are left. */
  total: number;
  /** When the loss was found, in ISO 8601. */
  since: string;
  /** How long the loss has been seen, in ms: the time in which the type was asked for, without the time in which no process ran. */
  heldMs: number;
}

/** How many entries a type has. A single type has one, or none. */
export interface TypeTotal {
  /** The last total that was believed. */
  total: number;
  /** Whether the type may have more entries: no call for all of them was made yet. */
  isAtLeast: boolean;
  /** The ids of entries whose removal was reported after the total. */
  removed: readonly string[];
  hold: Hold | null;
  /** The total before a loss that was taken, so that the removed copies can be brought back. */
  before: number | null;
}

/** The totals of all types, by path, in a file: they outlive the process, so that a CMS may be emptied while no process runs. */
export interface TypeTotals {
  /** Whether what an earlier process knew counts. */
  readonly outliveProcess: boolean;
  get(path: string): TypeTotal | null;
  set(path: string, total: TypeTotal): void;
  entries(): IterableIterator<[string, TypeTotal]>;
  /** Resolves when the totals are on disk. */
  settled(): Promise<void>;
}

export interface TypeTotalsOptions {
  /** Absolute path of the file. */
  file: string;
  /** Whether the totals of the last process count. Those of a folder do not: people change its files while no process runs. */
  outliveProcess: boolean;
  health?: DiskHealth;
  log: Logger;
}

const count = z.int().nonnegative();
const fileSchema = z.record(
  z.string(),
  z.object({
    total: count,
    isAtLeast: z.boolean(),
    removed: z.array(z.string()),
    hold: z.object({ total: count, since: z.iso.datetime(), heldMs: z.number().nonnegative() }).nullable(),
    before: count.nullable(),
  }),
);

/** Opens the totals of the processes that share a folder. Their files are read synchronously. */
export function openTypeTotals({ file, outliveProcess, health, log }: TypeTotalsOptions): TypeTotals {
  const totals = new Map<string, TypeTotal>();
  const { changed, settled } = openProcessFile({
    ...{ file, log },
    lines: {
      damaged: 'totals of types: the file is damaged and counts as empty',
      unwritten: 'totals of types: the file could not be written',
    },
    decode: value => fileSchema.parse(value),
    restore(saved) {
      if (!outliveProcess) return;
      for (const [path, total] of Object.entries(saved)) totals.set(path, joined(totals.get(path), total));
    },
    value: () => Object.fromEntries(totals),
    ...(health ? { health } : {}),
  });
  return {
    outliveProcess,
    get: path => totals.get(path) ?? null,
    set(path, total) {
      totals.set(path, total);
      changed();
    },
    entries: () => totals.entries(),
    settled,
  };
}

/** @returns the total that was written last. A removal that another process was told of explains a loss here, too. */
function joined(earlier: TypeTotal | undefined, last: TypeTotal): TypeTotal {
  if (earlier?.total !== last.total) return last;
  return { ...last, removed: [...new Set([...earlier.removed, ...last.removed])] };
}
