import { describe, expect, it } from 'vitest';
import { BackOff } from '../../server/ops/back-off.ts';
import { Condition, type ConditionOptions } from '../../server/ops/condition.ts';
import type { LogCode } from '../../server/ops/log-codes.ts';

function conditionWith(options: Partial<ConditionOptions> = {}) {
  const entries: { code: LogCode; remedy?: unknown }[] = [];
  const write = (fields: { code: LogCode }) => void entries.push(fields);
  let time = 0;
  const thing = new Condition(
    { error: write, warn: write },
    { code: 'disk', down: 'down', up: 'up', now: () => time, ...options },
  );
  const pass = (ms: number) => {
    time += ms;
  };
  return { thing, codes: () => entries.map(({ code }) => code), pass };
}

describe('a condition', () => {
  it('an outage writes one log entry at its beginning and one at its end', () => {
    const { thing, codes } = conditionWith();
    thing.up();
    for (let round = 0; round < 3; round += 1) thing.down({});
    expect(thing.isDown).toBe(true);
    for (let round = 0; round < 3; round += 1) thing.up();
    expect(codes()).toEqual(['disk-down', 'disk-up']);
  });

  it('another kind of fault during an outage writes another log entry', () => {
    const { thing, codes } = conditionWith();
    for (const news of ['401', '401', undefined, '403']) thing.down({}, news);
    expect(codes()).toEqual(['disk-down', 'disk-down']);
  });

  it('a short outage writes no log entry', () => {
    const { thing, codes, pass } = conditionWith({ afterMs: 1_000 });
    thing.down({});
    pass(999);
    expect(thing.down({})).toBe(false);
    thing.up();
    thing.down({});
    pass(999);
    thing.down({});
    expect(codes()).toEqual([]);
    pass(1);
    expect(thing.down({})).toBe(true);
    thing.up();
    expect(codes()).toEqual(['disk-down', 'disk-up']);
  });
});

it('a back-off doubles up to its maximum, and starts over after a success', () => {
  const backOff = new BackOff(20, 100);
  expect([1, 2, 3, 4, 5].map(() => backOff.failed())).toEqual([20, 40, 80, 100, 100]);
  backOff.succeeded();
  expect(backOff.failed()).toBe(20);
});
