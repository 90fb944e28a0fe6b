import { describe, expect, it } from 'vitest';
import { createSchedule, GIVE_UP_AFTER_MS, retryDelay } from '../../server/outbox/schedule.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
/** A schedule whose delays have no random part. */
const steady = () => createSchedule(() => 0);

describe('the delay before the next attempt', () => {
  it('the delay before the next attempt doubles from 1 s up to 10 min', () => {
    const delays = Array.from({ length: 13 }, (_, index) => retryDelay(index + 1, 0));
    expect(delays.slice(0, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map(s => s * 1_000));
    expect(delays.slice(10)).toEqual([10 * MINUTE, 10 * MINUTE, 10 * MINUTE]);
    expect(retryDelay(5_000, 0)).toBe(10 * MINUTE);
  });

  it('the delay before the next attempt is shortened at random, but at most to half', () => {
    expect(retryDelay(4, 0)).toBe(8_000);
    expect(retryDelay(4, 0.5)).toBe(6_000);
    expect(retryDelay(4, 0.999_999)).toBe(4_000);
  });
});

describe('a message', () => {
  it('a message is due at once, starts once, and is due again when the delay after a failure is over', () => {
    const schedule = steady();
    schedule.add({ id: 'a', since: START });
    expect(schedule.nextAt).toBe(START);
    expect(schedule.startNext(START)).toBe('a');
    expect(schedule.startNext(START)).toBeNull();
    expect(schedule.nextAt).toBeNull();
    expect(schedule.size).toBe(1);
    expect(schedule.failed('a', START + 10)).toEqual({ attempts: 1, delayMs: 1_000 });
    expect(schedule.startNext(START + 1_009)).toBeNull();
    expect(schedule.nextAt).toBe(START + 1_010);
    expect(schedule.startNext(START + 1_010)).toBe('a');
    schedule.remove('a');
    expect([schedule.size, schedule.oldest, schedule.nextAt]).toEqual([0, null, null]);
  });

  it('a message is tried for 24 hours, and the last attempt is exactly at their end', () => {
    const schedule = steady();
    schedule.add({ id: 'a', since: START });
    const tries: number[] = [];
    let now = START;
    for (;;) {
      expect(schedule.startNext(now)).toBe('a');
      tries.push(now - START);
      const again = schedule.failed('a', now);
      if (!again) break;
      now += again.delayMs;
    }
    expect(tries.at(-1)).toBe(GIVE_UP_AFTER_MS);
    expect(GIVE_UP_AFTER_MS).toBe(24 * 60 * MINUTE);
    // Ten attempts while the delay grows, then one every ten minutes.
    expect(tries.length).toBeGreaterThan(140);
    expect(tries.length).toBeLessThan(170);
  });

  it('a message older than 24 hours is tried once', () => {
    const schedule = steady();
    schedule.reconcile([{ id: 'a', since: START - 3 * GIVE_UP_AFTER_MS }], START);
    expect(schedule.startNext(START)).toBe('a');
    expect(schedule.failed('a', START)).toBeNull();
  });

  it('a message leased by another process is due again five seconds later, with no attempt counted', () => {
    const schedule = steady();
    schedule.add({ id: 'a', since: START });
    schedule.startNext(START);
    schedule.postpone('a', START);
    expect(schedule.startNext(START + 4_999)).toBeNull();
    expect(schedule.startNext(START + 5_000)).toBe('a');
    expect(schedule.failed('a', START + 5_000)).toMatchObject({ attempts: 1 });
  });

  it('a message starts before all messages that became due later', () => {
    const schedule = steady();
    for (const [id, since] of Object.entries({ b: START + 2, a: START + 1, c: START + 3 }))
      schedule.add({ id, since });
    expect(schedule.oldest).toBe(START + 1);
    expect([1, 2, 3, 4].map(() => schedule.startNext(START + 9))).toEqual(['a', 'b', 'c', null]);
  });
});

describe('a schedule reconciled with the folder', () => {
  it('a reconciled schedule gains new messages, loses deleted ones, and restarts messages whose time was reset', () => {
    const schedule = steady();
    schedule.reconcile(
      [
        { id: 'a', since: START },
        { id: 'b', since: START },
      ],
      START + 1,
    );
    expect(schedule.size).toBe(2);
    schedule.startNext(START + 1);
    schedule.failed('a', START + 1);
    schedule.startNext(START + 1);
    schedule.failed('b', START + 1);
    expect(schedule.startNext(START + 2)).toBeNull();

    // An operator retries a, and another process delivers b.
    schedule.reconcile([{ id: 'a', since: START + MINUTE }], START + MINUTE);
    expect(schedule.size).toBe(1);
    expect(schedule.startNext(START + MINUTE)).toBe('a');
    expect(schedule.failed('a', START + MINUTE)).toEqual({ attempts: 1, delayMs: 1_000 });
  });

  it('a reconciled schedule keeps messages that are in flight or were added while the folder was read', () => {
    const schedule = steady();
    schedule.add({ id: 'in flight', since: START });
    schedule.startNext(START);
    schedule.add({ id: 'new', since: START + 7 });
    schedule.reconcile([], START + 5);
    expect(schedule.size).toBe(2);
    schedule.reconcile([], START + 8);
    expect(schedule.size).toBe(1);
  });

  it('a reconciled schedule keeps the delay of a message when the file system has rounded its time', () => {
    const schedule = steady();
    schedule.add({ id: 'a', since: START });
    schedule.startNext(START);
    schedule.failed('a', START);
    schedule.reconcile([{ id: 'a', since: START + 1_000 }], START + 500);
    expect(schedule.startNext(START + 999)).toBeNull();
  });
});
