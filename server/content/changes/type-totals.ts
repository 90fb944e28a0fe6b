import * as z from 'zod';
import type { DiskHealth } from '../../cache/disk/disk-health.ts';
import { openProcessFile } from '../../cache/disk/process-file.ts';
import type { Logger } from '../../ops/log.ts';

const count = z.int().nonnegative();
const holdSchema = z.object({
  total: count,
  since: z.iso.datetime(),
  /** How long the loss has been visible, in ms, without downtime of the process. */
  heldMs: z.number().nonnegative(),
});
const totalSchema = z.object({
  total: count,
  /** Whether the type may have more entries, because no call has asked for all of them yet. */
  isAtLeast: z.boolean(),
  removed: z.array(z.string()),
  hold: holdSchema.nullable(),
  /** The total before an accepted loss, to restore the removed copies. */
  before: count.nullable(),
});
export type Hold = z.infer<typeof holdSchema>;
export type TypeTotal = z.infer<typeof totalSchema>;

export type TypeTotals = ReturnType<typeof openTypeTotals>;

interface TypeTotalsOptions {
  file: string;
  /** Whether to store totals. False for a content folder, whose files people change during downtime. */
  outliveProcess: boolean;
  health?: DiskHealth;
  log: Logger;
}

/** The totals of all types, by path. A file stores them, so that a loss during downtime is noticed. */
export function openTypeTotals({ file, outliveProcess, health, log }: TypeTotalsOptions) {
  const totals = new Map<string, TypeTotal>();
  const { changed, settled } = openProcessFile({
    ...{ file, log },
    name: 'totals of types',
    decode: value => z.record(z.string(), totalSchema).parse(value),
    restore(saved) {
      if (!outliveProcess) return;
      for (const [path, total] of Object.entries(saved)) totals.set(path, joined(totals.get(path), total));
    },
    value: () => Object.fromEntries(totals),
    health,
  });
  return {
    outliveProcess,
    get: (path: string) => totals.get(path) ?? null,
    set(path: string, total: TypeTotal) {
      totals.set(path, total);
      changed();
    },
    entries: () => totals.entries(),
    settled,
  };
}

/** Joins totals; the last one wins. A removal that another process received also explains a loss here. */
function joined(earlier: TypeTotal | undefined, last: TypeTotal): TypeTotal {
  if (earlier?.total !== last.total) return last;
  return { ...last, removed: [...new Set([...earlier.removed, ...last.removed])] };
}
