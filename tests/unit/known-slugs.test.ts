import { describe, expect, test } from 'vitest';
import { EVERYTHING, InvalidationLog } from '../../server/cache/tags/invalidation-log.ts';
import { KnownSlugs } from '../../server/content/slugs/known-slugs.ts';
import { tagNames } from '../../server/content/tags/content-tags.ts';
import { contentTypes } from '../../shared/content/content-types.ts';

const TTL_MS = 60_000;
/** A number of unknown slugs above the limit for single requests. */
const MANY = 30;

const it = test.extend('stage', async ({}) => {
  const clock = { ms: 1_000_000 };
  const now = () => clock.ms;
  const invalidations = new InvalidationLog(now);
  const readings: (ReadonlySet<string> | null | Error)[] = [];
  let reads = 0;
  const known = new KnownSlugs({
    read: async () => {
      reads += 1;
      const reading = readings.length > 0 ? readings.shift() : new Set(['about', 'terms']);
      if (reading instanceof Error) throw reading;
      return reading ?? null;
    },
    invalidations,
    ttlMs: TTL_MS,
    now,
  });
  const type = contentTypes.page;
  return {
    ...{ clock, invalidations, readings },
    reads: () => reads,
    /** Requests unknown slugs, as visitors do. @returns how many of them caused a call. */
    async flood(count = MANY): Promise<number> {
      let asked = 0;
      for (let at = 0; at < count; at += 1) {
        if (known.absentSince(type, `made-up-${at}`) !== null) continue;
        asked += 1;
        known.noteAbsent(type);
        await Promise.resolve();
      }
      // The read of the list ends in a later tick.
      await new Promise(resolve => setImmediate(resolve));
      return asked;
    },
    absentSince: (slug: string) => known.absentSince(type, slug),
  };
});

describe('unknown slugs', () => {
  it('few unknown slugs are each requested from the backend', async ({ stage }) => {
    const { clock, flood, reads, absentSince } = stage;
    for (let hour = 0; hour < 5; hour += 1) {
      expect(await flood(15)).toBe(15);
      clock.ms += 3_600_000;
    }
    expect([reads(), absentSince('made-up')]).toEqual([0, null]);
  });

  it('many unknown slugs are answered from one list of all slugs', async ({ stage }) => {
    const { clock, flood, reads, absentSince } = stage;
    const readAt = clock.ms;
    await flood();
    expect([reads(), absentSince('made-up'), absentSince('about')]).toEqual([1, readAt, null]);
    expect(await flood()).toBe(0);
    // One unknown slug a second is still requested.
    clock.ms += 3_000;
    expect(await flood()).toBe(3);
    expect(reads()).toBe(1);
  });

  it('the list of slugs is read again when it is older than the TTL', async ({ stage }) => {
    const { clock, flood, reads } = stage;
    await flood();
    for (let second = 0; second < TTL_MS / 1_000; second += 1) {
      expect(reads()).toBe(1);
      await flood();
      clock.ms += 1_000;
    }
    await flood();
    expect(reads()).toBe(2);
  });

  it.for([tagNames.slugs('pages'), 'pages', EVERYTHING])(
    'unknown slugs are requested again after an invalidation of %s',
    async (tag, { stage: { flood, absentSince, invalidations } }) => {
      await flood();
      expect(absentSince('new')).not.toBeNull();
      invalidations.note([tag], false);
      expect(absentSince('new')).toBeNull();
    },
  );

  it('unknown slugs are requested while the list of slugs cannot be read, or changes during the read', async ({
    stage,
  }) => {
    const { clock, flood, reads, readings, absentSince } = stage;
    readings.push(null, new Error('503'));
    for (const attempt of [1, 2]) {
      await flood();
      expect([reads(), absentSince('made-up')]).toEqual([attempt, null]);
      clock.ms += 6_000;
    }
    await flood();
    expect([reads(), absentSince('made-up')]).toEqual([3, expect.any(Number)]);
  });
});
