import { describe, expect, it, vi } from 'vitest';
import type { SharedTier } from '../../server/cache/shared-tier.ts';
import type { LogPosition } from '../../server/cache/tags/log-position.ts';
import {
  type Entry,
  ended,
  memorySharedTier,
  NEGATIVE_TTL_MS,
  startStaleCache,
  TTL_MS,
  textOf,
  type Value,
} from '../support/stale-cache-stage.ts';

/** Two caches with one shared tier, like those of two processes. */
function startTwo() {
  const shared = memorySharedTier<Entry>();
  const now = { ms: 1_000_000_000 };
  const options = {
    ...{ shared, now: () => now.ms },
    isNegative: ({ text }: Value) => text === 'missing',
  };
  return { shared, now, one: startStaleCache(options), two: startStaleCache(options) };
}

const recordOf = (record: Entry, position: LogPosition = '5-0') => ({ record, position });

/** Locks a key as another process does. */
async function lockedElsewhere(shared: SharedTier<Entry>, key = 'a'): Promise<() => Promise<void>> {
  return (await shared.lock(key)) ?? expect.fail('the key is locked already');
}

describe('a record in the shared tier', () => {
  it('a second cache uses the record of the first without generating it', async () => {
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

  it('a cache waits for the record that another process is generating', async () => {
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

  it('a shared record older than an invalidation of its content is not used', async () => {
    const { shared, two, now } = startTwo();
    shared.records.set('a', recordOf(two.entry('old', { generatedAt: now.ms }), '5-0'));
    now.ms += 1;
    two.invalidations.note(['settings'], false, '5-1');
    now.ms += 1;
    const waiting = two.revalidateShared();
    await ended();
    two.began()[0]?.finish(two.good('new', { generatedAt: now.ms }));
    expect(textOf(await waiting)).toBe('new');
    expect(shared.records.get('a')?.record.value.text).toBe('new');
  });

  it('a shared record past its TTL is not used', async () => {
    const { shared, two, now } = startTwo();
    shared.records.set('a', recordOf(two.entry('old', { generatedAt: now.ms - TTL_MS })));
    const waiting = two.revalidateShared();
    await ended();
    two.began()[0]?.finish(two.good('new', { generatedAt: now.ms }));
    expect(textOf(await waiting)).toBe('new');
  });

  it.each<[string, LogPosition, 'old' | 'new']>([
    ['before', '5-1', 'new'],
    ['after', '4-9', 'old'],
  ])(
    'log positions, not clocks, decide whether a shared record is from %s a change',
    async (_, changedAt, text) => {
      const { shared, two, now } = startTwo();
      // The clock of the generating process is an hour fast.
      shared.records.set('a', recordOf(two.entry('old', { generatedAt: now.ms }), '5-0'));
      now.ms -= 1;
      two.invalidations.note(['settings'], false, changedAt);
      two.invalidations.reach(changedAt);
      now.ms += 1;
      const waiting = two.revalidateShared();
      await ended();
      two.began()[0]?.finish(two.good('new', { generatedAt: now.ms }));
      expect(textOf(await waiting)).toBe(text);
      if (text === 'new') expect(shared.records.get('a')?.position).toBe('5-1');
    },
  );

  it('a process that is behind in the shared log does not treat a shared record as fresh', async () => {
    const { shared, two, now } = startTwo();
    shared.records.set('a', recordOf(two.entry('old', { generatedAt: now.ms })));
    shared.isCurrent = false;
    const waiting = two.revalidateShared();
    await ended();
    two.began()[0]?.finish(two.good('new', { generatedAt: now.ms }));
    expect(textOf(await waiting)).toBe('new');
  });

  it('a shared record is stale if this process may have missed later changes', async () => {
    const { shared, two, now } = startTwo();
    shared.records.set('a', recordOf(two.entry('old', { generatedAt: now.ms }), '5-0'));
    two.invalidations.doubt('5-1');
    const loaded = await two.load();
    expect([loaded?.entry.value.text, loaded?.ttlMs]).toEqual(['old', 0]);
    two.cache.forget(['a']);
    const waiting = two.revalidateShared();
    await ended();
    two.began()[0]?.finish(two.good('new', { generatedAt: now.ms }));
    expect(textOf(await waiting)).toBe('new');
    expect(shared.records.get('a')?.position).toBe('5-1');
  });

  it('even a stale shared record is loaded if memory and disk have no record', async () => {
    const { shared, two, now } = startTwo();
    shared.records.set('a', recordOf(two.entry('old', { generatedAt: now.ms - TTL_MS })));
    expect((await two.load())?.entry.value.text).toBe('old');
    expect(two.trace()).toEqual(['loaded-from-others a']);
    expect([two.files.get('a')?.value.text, two.shown()]).toEqual(['old', 'old']);
    expect(await two.load('b')).toBeNull();
  });

  it('a shared record is not read when memory or disk has one', async () => {
    const { shared, two, now } = startTwo();
    await two.store('mine', { generatedAt: now.ms });
    await two.load();
    expect(shared.calls()).toEqual([]);
    two.cache.forget(['a']);
    expect((await two.load())?.entry.value.text).toBe('mine');
    expect(shared.calls()).toEqual([]);
  });

  it('a shared record is not loaded if its content was removed at a later position', async () => {
    const { shared, two, now } = startTwo();
    shared.records.set('a', recordOf(two.entry('old', { generatedAt: now.ms }), '5-0'));
    now.ms -= TTL_MS;
    two.invalidations.note(['pages:1'], true, '5-1');
    expect(await two.load()).toBeNull();
  });

  it('a shared record generated after an invalidation is fresh, even if this process reads the invalidation later', async () => {
    const { shared, two, now } = startTwo();
    shared.records.set('a', recordOf(two.entry('new', { generatedAt: now.ms }), '5-0'));
    now.ms += 1;
    two.invalidations.note(['settings'], false, '5-0');
    expect(textOf(await two.revalidateShared())).toBe('new');
    expect(two.began()).toEqual([]);
  });

  it('a background revalidation uses the shared record', async () => {
    const { shared, one, two, now } = startTwo();
    await two.store('old', { generatedAt: now.ms });
    now.ms += TTL_MS;
    shared.records.set('a', recordOf(one.entry('new', { generatedAt: now.ms })));
    two.revalidateSharedInBackground();
    await vi.waitUntil(() => two.shown() === 'new', { interval: 1, timeout: 10_000 });
    expect(two.began()).toEqual([]);
  });

  it('a shared record of a missing value lives for the negative TTL, and is used', async () => {
    const { shared, one, two, now } = startTwo();
    const waiting = one.revalidateShared();
    await ended();
    one.began()[0]?.finish(one.missing({ generatedAt: now.ms }));
    await waiting;
    expect(shared.lives.get('a')).toEqual({ lifeMs: NEGATIVE_TTL_MS, keepsLife: true });
    expect(await two.revalidateShared()).toMatchObject({ isNegative: true });
    expect([two.began(), two.cache.size.negative.entries, two.cache.size.positive.entries]).toEqual([
      [],
      1,
      0,
    ]);
    two.cache.forget(['a']);
    expect(await two.load(), 'absence is no value').toBeNull();
  });

  it('a shared record is removed with the content that it is about', async () => {
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
  it('a lock held elsewhere is polled a few times before this process generates the value', async () => {
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

  it('the lock is released when another process has already stored the record', async () => {
    const { shared, one, now } = startTwo();
    const release = await lockedElsewhere(shared);
    const { get } = shared;
    let looks = 0;
    shared.get = async key => {
      const found = await get(key);
      looks += 1;
      if (looks === 2) {
        shared.records.set('a', recordOf(one.entry('theirs', { generatedAt: now.ms })));
        await release();
      }
      return found;
    };
    expect(textOf(await one.revalidateShared())).toBe('theirs');
    expect([one.began(), shared.locked.size]).toEqual([[], 0]);
  });

  it('the lock is released when the generation fails', async () => {
    const { shared, one } = startTwo();
    const waiting = one.revalidateShared();
    await ended();
    expect(shared.locked.has('a')).toBe(true);
    one.began()[0]?.fail(new Error('down'));
    await expect(waiting).rejects.toThrow('down');
    expect(shared.locked.size).toBe(0);
    expect(shared.records.size).toBe(0);
  });

  it('waiting for a lock is given up when the last waiting request is aborted', async () => {
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
    ['of this process alone', ({ good }: Stage) => ({ ...good('x'), isLocal: true })],
    ['moved', () => ({ kind: 'moved' }) as const],
  ])('a value that must stay local is not put into the shared tier: %s', async (_, outcome) => {
    const { shared, one } = startTwo();
    const waiting = one.revalidateShared();
    await ended();
    one.began()[0]?.finish(outcome(one));
    await waiting;
    expect(shared.calls()).toEqual(['get a']);
    expect(shared.records.size).toBe(0);
  });

  it('a value removed during its generation is not put into the shared tier', async () => {
    const { shared, one } = startTwo();
    const waiting = one.revalidateShared();
    await ended();
    one.remove('pages:1');
    one.began()[0]?.finish(one.good('x'));
    await waiting;
    expect(shared.records.size).toBe(0);
  });
});

describe('a value that was invalidated while it was generated', () => {
  it('a value invalidated during its generation is stale for other processes, which revalidate it', async () => {
    const { shared, one, two, now } = startTwo();
    const waiting = one.revalidateShared();
    await ended();
    one.invalidate('settings');
    one.began()[0]?.finish(one.good('seen', { generatedAt: now.ms }));
    await waiting;
    await ended();
    expect(shared.records.get('a')?.record).toMatchObject({ value: { text: 'seen' }, invalidated: true });
    expect(await two.load()).toMatchObject({ ttlMs: -1, entry: { value: { text: 'seen' } } });
    void two.revalidateShared();
    await ended();
    expect(two.began()).toHaveLength(1);
  });

  it('a value invalidated during its generation replaces no shared record', async () => {
    const { shared, one, now } = startTwo();
    shared.records.set('a', recordOf(one.entry('before', { generatedAt: now.ms - TTL_MS })));
    const waiting = one.revalidateShared();
    await ended();
    one.invalidate('settings');
    one.began()[0]?.finish(one.good('after', { generatedAt: now.ms }));
    await waiting;
    await ended();
    expect(shared.records.get('a')?.record.value.text).toBe('before');
  });
});

describe('a shared tier that returns nothing', () => {
  it('a shared tier that returns nothing changes no result', async () => {
    const empty: SharedTier<Entry> = {
      isCurrent: true,
      get: async () => null,
      put: async () => {},
      extend: async () => {},
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
