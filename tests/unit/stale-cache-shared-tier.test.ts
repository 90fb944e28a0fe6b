import { describe, expect, it, vi } from 'vitest';
import type { SharedTier } from '../../server/cache/shared-tier.ts';
import {
  type Entry,
  ended,
  memorySharedTier,
  startStaleCache,
  TTL_MS,
  textOf,
} from '../support/stale-cache-stage.ts';

/** Two caches over one shared tier, as two processes have them. */
function startTwo() {
  const shared = memorySharedTier<Entry>();
  const now = { ms: 1_000_000_000 };
  const options = { shared, now: () => now.ms };
  return { shared, now, one: startStaleCache(options), two: startStaleCache(options) };
}

/** Another process that holds the lock of a key. */
async function lockedElsewhere(shared: SharedTier<Entry>, key = 'a'): Promise<() => Promise<void>> {
  return (await shared.lock(key)) ?? expect.fail('the key is locked already');
}

describe('a record in the shared tier', () => {
  it('serves a second cache without a generation of its own', async () => {
    const { shared, one, two, now } = startTwo();
    const first = one.revalidateShared();
    await ended();
    one.began()[0]?.finish(one.good('one', { generatedAt: now.ms }));
    expect(textOf(await first)).toBe('one');
    expect([...shared.records.keys()]).toEqual(['a']);
    const second = await two.revalidateShared();
    expect(textOf(second)).toBe('one');
    expect(two.began()).toEqual([]);
    expect(two.shown()).toBe('one');
    expect(two.files.get('a')?.value.text, 'the second process has it on its disk, too').toBe('one');
    expect(shared.locked.size, 'no lock is left').toBe(0);
  });

  it('is waited for while another process generates it', async () => {
    const { shared, one, two, now } = startTwo();
    const first = one.revalidateShared();
    await ended();
    const second = two.revalidateShared();
    await ended();
    expect(shared.calls(), 'the second process has looked, and waits').toEqual(['get a', 'get a']);
    one.began()[0]?.finish(one.good('one', { generatedAt: now.ms }));
    expect([textOf(await first), textOf(await second)]).toEqual(['one', 'one']);
    expect(two.began()).toEqual([]);
  });

  it('is not used when its content was invalidated after it was generated', async () => {
    const { shared, two, now } = startTwo();
    shared.records.set('a', two.entry('old', { generatedAt: now.ms }));
    now.ms += 1;
    two.invalidate('settings');
    now.ms += 1;
    const waiting = two.revalidateShared();
    await ended();
    two.began()[0]?.finish(two.good('new', { generatedAt: now.ms }));
    expect(textOf(await waiting)).toBe('new');
    expect(shared.records.get('a')?.value.text).toBe('new');
  });

  it('is not used when its TTL is over', async () => {
    const { shared, two, now } = startTwo();
    shared.records.set('a', two.entry('old', { generatedAt: now.ms - TTL_MS }));
    const waiting = two.revalidateShared();
    await ended();
    two.began()[0]?.finish(two.good('new', { generatedAt: now.ms }));
    expect(textOf(await waiting)).toBe('new');
  });

  it('is removed with the content that it is about', async () => {
    const { shared, one, now } = startTwo();
    const waiting = one.revalidateShared();
    await ended();
    one.began()[0]?.finish(one.good('one', { generatedAt: now.ms }));
    await waiting;
    one.remove('pages:1');
    expect(shared.records.size).toBe(0);
  });
});

describe('a lock of the shared tier', () => {
  it('is polled a few times while another process holds it; then the value is generated here', async () => {
    const { shared, one, now } = startTwo();
    const release = await lockedElsewhere(shared);
    const waiting = one.revalidateShared();
    const [generation] = await vi.waitUntil(
      () => {
        const began = one.began();
        return began.length > 0 && began;
      },
      { interval: 1, timeout: 10_000 },
    );
    expect(shared.calls().filter(call => call === 'get a').length, 'looked at again and again').toBe(6);
    generation?.finish(one.good('one', { generatedAt: now.ms }));
    expect(textOf(await waiting)).toBe('one');
    expect(shared.locked.has('a'), 'the lock of the other process is left alone').toBe(true);
    await release();
  });

  it('is released when the generation fails', async () => {
    const { shared, one } = startTwo();
    const waiting = one.revalidateShared();
    await ended();
    expect(shared.locked.has('a')).toBe(true);
    one.began()[0]?.fail(new Error('down'));
    await expect(waiting).rejects.toThrow('down');
    expect(shared.locked.size).toBe(0);
    expect(shared.records.size).toBe(0);
  });

  it('is not waited for any longer when the last reader leaves', async () => {
    const { shared, one } = startTwo();
    await lockedElsewhere(shared);
    const reader = new AbortController();
    const waiting = one.revalidateShared('a', reader.signal);
    await ended();
    reader.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect([one.cache.inFlight, one.began()]).toEqual([0, []]);
  });
});

describe('a value that other processes must not get', () => {
  it.each([
    ['partial', ({ entry }: Stage) => ({ kind: 'partial', entry: entry('x') }) as const],
    ['served stale', ({ good }: Stage) => ({ ...good('x'), servedStale: true })],
    ['without a record', ({ good }: Stage) => ({ ...good('x'), record: null })],
    ['moved', () => ({ kind: 'moved' }) as const],
  ])('is not put into the shared tier: %s', async (_, outcome) => {
    const { shared, one } = startTwo();
    const waiting = one.revalidateShared();
    await ended();
    one.began()[0]?.finish(outcome(one));
    await waiting;
    expect(shared.calls()).toEqual(['get a']);
    expect(shared.records.size).toBe(0);
  });

  it('is not put into the shared tier: invalidated while it was generated', async () => {
    const { shared, one } = startTwo();
    const waiting = one.revalidateShared();
    await ended();
    one.invalidate('settings');
    one.began()[0]?.finish(one.good('x'));
    await waiting;
    expect(shared.records.size).toBe(0);
  });
});

describe('a shared tier that answers nothing', () => {
  it('changes nothing', async () => {
    const empty: SharedTier<Entry> = {
      get: async () => null,
      put: async () => {},
      remove: async () => {},
      lock: async () => async () => {},
    };
    const outcomes = [];
    for (const options of [{}, { shared: empty }]) {
      const stage = startStaleCache(options);
      const { clock, revalidateShared, began, good, missing, trace, shown, remove } = stage;
      const seen: unknown[] = [];
      for (const outcome of [good('one'), good('two'), missing(), good('three')]) {
        const waiting = revalidateShared();
        await ended();
        began()[0]?.finish(outcome);
        seen.push(textOf(await waiting), shown(), trace(), stage.files.size);
        clock.ms += TTL_MS;
      }
      remove('pages:1');
      outcomes.push([...seen, shown(), trace(), stage.cache.size]);
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
  });
});

type Stage = ReturnType<typeof startStaleCache>;
