import { describe, expect, it } from 'vitest';
import { createSchedule, GIVE_UP_AFTER_MS, retryDelay } from '../../server/outbox/schedule.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
/** Without jitter. */
const steady = () => createSchedule(() => 0);

describe('the delay before the next try', () => {
  it('doubles from 1 s up to 10 min', () => {
    const delays = Array.from({ length: 13 }, (_, index) => retryDelay(index + 1, 0));
    expect(delays.slice(0, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map(s => s * 1_000));
    expect(delays.slice(10)).toEqual([10 * MINUTE, 10 * MINUTE, 10 * MINUTE]);
    expect(retryDelay(5_000, 0)).toBe(10 * MINUTE);
  });

  it('is spread by chance over its latter half', () => {
    expect(retryDelay(4, 0)).toBe(8_000);
    expect(retryDelay(4, 0.5)).toBe(6_000);
    expect(retryDelay(4, 0.999_999)).toBe(4_000);
  });
});

describe('a message', () => {
  it('is due at once, for one at a time, and after a failure when its delay is over', () => {
    const schedule = steady();
    schedule.add({ id: 'a', since: START });
    expect(schedule.nextAt).toBe(START);
    expect(schedule.take(START)).toBe('a');
    expect(schedule.take(START)).toBeNull();
    expect(schedule.nextAt).toBeNull();
    expect(schedule.size).toBe(1);
    expect(schedule.failed('a', START + 10)).toEqual({ attempts: 1, delayMs: 1_000 });
    expect(schedule.take(START + 1_009)).toBeNull();
    expect(schedule.nextAt).toBe(START + 1_010);
    expect(schedule.take(START + 1_010)).toBe('a');
    schedule.remove('a');
    expect([schedule.size, schedule.oldest, schedule.nextAt]).toEqual([0, null, null]);
  });

  it('is tried for 24 hours, the last time when they are over', () => {
    const schedule = steady();
    schedule.add({ id: 'a', since: START });
    const tries: number[] = [];
    let now = START;
    for (;;) {
      expect(schedule.take(now)).toBe('a');
      tries.push(now - START);
      const again = schedule.failed('a', now);
      if (!again) break;
      now += again.delayMs;
    }
    expect(tries.at(-1)).toBe(GIVE_UP_AFTER_MS);
    expect(GIVE_UP_AFTER_MS).toBe(24 * 60 * MINUTE);
    // Ten while the delay grows, then one in ten minutes.
    expect(tries.length).toBeGreaterThan(140);
    expect(tries.length).toBeLessThan(170);
  });

  it('that was left for days is tried once, and then no more', () => {
    const schedule = steady();
    schedule.reconcile([{ id: 'a', since: START - 3 * GIVE_UP_AFTER_MS }], START);
    expect(schedule.take(START)).toBe('a');
    expect(schedule.failed('a', START)).toBeNull();
  });

  it('that another process delivers is looked at again later, and that is no try', () => {
    const schedule = steady();
    schedule.add({ id: 'a', since: START });
    schedule.take(START);
    schedule.postpone('a', START);
    expect(schedule.take(START + 4_999)).toBeNull();
    expect(schedule.take(START + 5_000)).toBe('a');
    expect(schedule.failed('a', START + 5_000)).toMatchObject({ attempts: 1 });
  });

  it('that has waited longest is taken first', () => {
    const schedule = steady();
    for (const [id, since] of Object.entries({ b: START + 2, a: START + 1, c: START + 3 }))
      schedule.add({ id, since });
    expect(schedule.oldest).toBe(START + 1);
    expect([1, 2, 3, 4].map(() => schedule.take(START + 9))).toEqual(['a', 'b', 'c', null]);
  });
});

describe('what is found in the folder', () => {
  it('is taken over: what is new, what has gone, and whose time was set anew', () => {
    const schedule = steady();
    schedule.reconcile(
      [
        { id: 'a', since: START },
        { id: 'b', since: START },
      ],
      START + 1,
    );
    expect(schedule.size).toBe(2);
    schedule.take(START + 1);
    schedule.failed('a', START + 1);
    schedule.take(START + 1);
    schedule.failed('b', START + 1);
    expect(schedule.take(START + 2)).toBeNull();

    // `npm run outbox -- retry a`, while b was delivered by another process.
    schedule.reconcile([{ id: 'a', since: START + MINUTE }], START + MINUTE);
    expect(schedule.size).toBe(1);
    expect(schedule.take(START + MINUTE)).toBe('a');
    expect(schedule.failed('a', START + MINUTE)).toEqual({ attempts: 1, delayMs: 1_000 });
  });

  it('changes nothing of what is under way, or has arrived while the folder was read', () => {
    const schedule = steady();
    schedule.add({ id: 'under way', since: START });
    schedule.take(START);
    schedule.add({ id: 'new', since: START + 7 });
    schedule.reconcile([], START + 5);
    expect(schedule.size).toBe(2);
    schedule.reconcile([], START + 8);
    expect(schedule.size).toBe(1);
  });

  it('keeps a delay although the file system has rounded the time', () => {
    const schedule = steady();
    schedule.add({ id: 'a', since: START });
    schedule.take(START);
    schedule.failed('a', START);
    schedule.reconcile([{ id: 'a', since: START + 1_000 }], START + 500);
    expect(schedule.take(START + 999)).toBeNull();
  });
});
