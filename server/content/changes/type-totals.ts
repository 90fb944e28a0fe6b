import * as z from 'zod';
import type { DiskHealth } from '../../cache/disk/disk-health.ts';
import { openProcessFile } from '../../cache/disk/process-file.ts';
import type { Logger } from '../../ops/log.ts';

export interface Hold {
  total: number;
  /** In ISO 8601. */
  since: string;
  /** How long the loss has been seen, in ms, without the time in which no process ran. */
  heldMs: number;
}

export interface TypeTotal {
  total: number;
  /** Whether the type may have more entries: no call has asked for all of them yet. */
  isAtLeast: boolean;
  /** Ids of entries whose removal was reported after the total. */
  removed: readonly string[];
  hold: Hold | null;
  /** The total before an accepted loss, so that the removed copies can be restored. */
  before: number | null;
}

/** The totals of all types, by path. A file keeps them, so that a loss while no process runs is seen. */
export interface TypeTotals {
  readonly outliveProcess: boolean;
  get(path: string): TypeTotal | null;
  set(path: string, total: TypeTotal): void;
  entries(): IterableIterator<[string, TypeTotal]>;
  settled(): Promise<void>;
}

export interface TypeTotalsOptions {
  file: string;
  /** False for a content folder: people change its files while no process runs. */
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

/** The last total wins. A removal that another process received explains a loss here, too. */
function joined(earlier: TypeTotal | undefined, last: TypeTotal): TypeTotal {
  if (earlier?.total !== last.total) return last;
  return { ...last, removed: [...new Set([...earlier.removed, ...last.removed])] };
}
