import * as z from 'zod';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';
import type { DiskHealth } from './disk-health.ts';
import { openProcessFile } from './process-file.ts';

/** Content that does not exist. */
export interface Absence {
  /** The key in the content cache, such as `pages/commerce`. */
  readonly key: string;
  /** When the backend said so, in ms since the epoch. */
  readonly generatedAt: number;
  /** The tags whose invalidation puts the absence in doubt. */
  readonly tags: readonly string[];
}

/**
 * The absences that stored pages depend on, such as a generic page that would be a breadcrumb. They outlive the process, so that another
 * build can render these pages while the backend is down. Absences that no stored page depends on are not kept: made-up addresses
 * push nothing out.
 */
export interface KeptAbsences {
  get(key: string): Absence | null;
  keep(absences: readonly Absence[]): void;
  /** Forgets an absence: the content exists now. */
  remove(key: string): void;
  /** Resolves when all kept absences are on disk. */
  settled(): Promise<void>;
}

export interface KeptAbsencesOptions {
  /** Absolute path of the file. */
  file: string;
  /** An absence that is kept again is written again when it is newer by this time, in ms. */
  rewriteAfterMs: number;
  health?: DiskHealth;
  log: Logger;
}

/** Most absences that are kept. The absences that were kept longest ago are forgotten first. */
const MAX_ABSENCES = 10_000;
/** Changes of the file are collected for this time, in ms. */
const WRITE_DELAY_MS = 1_000;

const fileSchema = z.array(z.tuple([z.string(), z.number(), z.array(z.string())]));

/** Opens the kept absences of the processes that share a folder. Their files are read synchronously. */
export function openKeptAbsences(options: KeptAbsencesOptions): KeptAbsences {
  const { file, rewriteAfterMs, health, log } = options;
  const kept = boundedMap<Absence>(MAX_ABSENCES);
  const { changed, settled } = openProcessFile({
    ...{ file, log },
    lines: {
      damaged: 'kept absences: the file is damaged and counts as empty',
      unwritten: 'kept absences: the file could not be written',
    },
    decode: value => fileSchema.parse(value),
    restore(saved) {
      for (const [key, generatedAt, tags] of saved)
        if (generatedAt >= (kept.peek(key)?.generatedAt ?? 0)) kept.set(key, { key, generatedAt, tags });
    },
    // The file is read from its beginning, so the absence that was kept last comes last.
    value: () =>
      [...kept.rvalues()].flatMap(absence =>
        absence ? [[absence.key, absence.generatedAt, absence.tags]] : [],
      ),
    delayMs: WRITE_DELAY_MS,
    ...(health ? { health } : {}),
  });

  return {
    get: key => kept.peek(key) ?? null,
    keep(absences) {
      for (const absence of absences) {
        const before = kept.get(absence.key);
        if (before && Math.abs(absence.generatedAt - before.generatedAt) <= rewriteAfterMs) continue;
        kept.set(absence.key, absence);
        changed();
      }
    },
    remove(key) {
      if (kept.delete(key)) changed();
    },
    settled,
  };
}
