import { describe, expect } from 'vitest';
import { it, MAX_NEGATIVE_BYTES, START, startStaleCache, TTL_MS } from '../support/stale-cache-stage.ts';

describe('a negative entry', () => {
  it('a negative entry is served for ten seconds, and never stale', async ({ stage }) => {
    const { cache, clock, storeMissing, shown } = stage;
    await storeMissing();
    clock.ms += 9_999;
    expect(shown()).toBe('missing');
    clock.ms += 1;
    expect(cache.get('a')).toBeNull();
  });

  it('a negative entry is served stale if `servesStale` is on', async () => {
    const negative = { maxBytes: MAX_NEGATIVE_BYTES, ttlMs: TTL_MS, servesStale: true };
    const { cache, clock, storeMissing, invalidate } = startStaleCache({ negative });
    await storeMissing();
    clock.ms += TTL_MS;
    expect(cache.get('a')).toMatchObject({ ttlMs: 0 });
    invalidate('settings');
    expect(cache.get('a')).toMatchObject({ ttlMs: -1 });
  });

  it('a negative entry lives ten seconds after it is stored, but no longer than its content', async ({
    stage,
  }) => {
    const { cache, clock, storeMissing, shown } = stage;
    await storeMissing({ generatedAt: START - 30_000 }, 'a');
    await storeMissing({ generatedAt: START - TTL_MS + 4_000 }, 'b');
    clock.ms += 3_999;
    expect([shown('a'), shown('b')]).toEqual(['missing', 'missing']);
    clock.ms += 1;
    expect([shown('a'), cache.get('b')]).toEqual(['missing', null]);
    clock.ms += 6_000;
    expect(cache.get('a')).toBeNull();
  });

  it('a negative entry is removed when content of its type is published', async ({ stage }) => {
    const { cache, invalidate, storeMissing, shown } = stage;
    await storeMissing({ tags: ['pages'] }, 'a');
    await storeMissing({ tags: ['articles'] }, 'b');
    invalidate('pages');
    expect([cache.get('a'), shown('b')]).toEqual([null, 'missing']);
  });

  it('a positive entry replaces a negative one', async ({ stage }) => {
    const { cache, good, revalidate, began, shown, storeMissing } = stage;
    await storeMissing();
    const waiting = revalidate();
    began()[0]?.finish(good('here'));
    await waiting;
    expect(shown()).toBe('here');
    expect(cache.size.negative.entries).toBe(0);
  });

  it('a negative entry is invisible to peek(), and never written to disk', async ({ stage }) => {
    const { cache, files, storeMissing } = stage;
    await storeMissing();
    expect([cache.peek('a'), files.size]).toEqual([null, 0]);
  });

  it('negative entries have their own bound, and evict only one another', async ({ stage }) => {
    const { cache, missing, store, shown, trace } = stage;
    await store('one');
    for (let index = 0; index < 300; index++) {
      const outcome = missing({ bytes: 50_000 });
      await cache.revalidate(`missing-${index}`, async () => outcome);
      expect(cache.size.negative.bytes).toBeLessThanOrEqual(MAX_NEGATIVE_BYTES);
    }
    expect(cache.size.negative.entries).toBeGreaterThan(100);
    expect(trace().slice(0, 2)).toEqual(['negative-evicted missing-0', 'negative-evicted missing-1']);
    expect(shown()).toBe('one');
  });
});
