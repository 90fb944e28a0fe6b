import * as z from 'zod';
import { boundedMap } from '../../ops/bounded-map.ts';
import { openProcessFile, type ProcessFileOptions } from './process-file.ts';

export interface NegativeEntry {
  /** Key in the content cache, such as `pages/commerce`. */
  readonly key: string;
  /** Time of the backend's response, in ms since the epoch. */
  readonly generatedAt: number;
  readonly tags: readonly string[];
}

export type NegativeEntries = ReturnType<typeof openNegativeEntries>;

interface NegativeEntriesOptions extends Pick<ProcessFileOptions<unknown>, 'file' | 'health' | 'log'> {
  /** An entry is written again when its `generatedAt` has changed by more than this, in ms. */
  rewriteAfterMs: number;
}

/** Above this number, the oldest entries are removed first. */
const MAX_ABSENCES = 10_000;
const WRITE_DELAY_MS = 1_000;

const fileSchema = z.array(z.tuple([z.string(), z.number(), z.array(z.string())]));

/**
 * Negative entries that stored pages depend on, such as one for a missing breadcrumb. They are on disk, so
 * that another build can render these pages during an outage. Made-up addresses have no entries here.
 * Synchronously reads the files of all processes that share the data folder.
 */
export function openNegativeEntries({ rewriteAfterMs, ...options }: NegativeEntriesOptions) {
  const stored = boundedMap<NegativeEntry>(MAX_ABSENCES);
  const { changed, settled } = openProcessFile({
    ...options,
    name: 'negative entries',
    decode: value => fileSchema.parse(value),
    restore(saved) {
      for (const [key, generatedAt, tags] of saved)
        if (generatedAt >= (stored.peek(key)?.generatedAt ?? 0)) stored.set(key, { key, generatedAt, tags });
    },
    // The newest entry is last, so that a reader evicts the oldest first.
    value: () =>
      [...stored.rvalues()].flatMap(absence =>
        absence ? [[absence.key, absence.generatedAt, absence.tags]] : [],
      ),
    delayMs: WRITE_DELAY_MS,
  });

  return {
    get: (key: string): NegativeEntry | null => stored.peek(key) ?? null,
    keep(absences: readonly NegativeEntry[]) {
      for (const absence of absences) {
        const before = stored.get(absence.key);
        if (before && Math.abs(absence.generatedAt - before.generatedAt) <= rewriteAfterMs) continue;
        stored.set(absence.key, absence);
        changed();
      }
    },
    remove(key: string) {
      if (stored.delete(key)) changed();
    },
    settled,
  };
}
