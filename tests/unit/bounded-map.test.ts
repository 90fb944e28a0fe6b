import { describe, expect, it } from 'vitest';
import { boundedMap } from '../../server/ops/bounded-map.ts';

describe('a bounded map', () => {
  it('a bounded map evicts the least recently used entries', () => {
    const map = boundedMap<number>(3);
    for (const [at, key] of ['a', 'b', 'c'].entries()) map.set(key, at);
    map.get('a');
    map.set('d', 3).set('d', 4);
    expect([...map.keys()].toSorted()).toEqual(['a', 'c', 'd']);
  });

  it('a bounded map drops an entry after its time to live', () => {
    const clock = { ms: 1 };
    const options = { ttl: 100, ttlResolution: 0, perf: { now: () => clock.ms } };
    const map = boundedMap<number>(1_000, options);
    map.set('a', 1);
    clock.ms += 99;
    expect(map.get('a')).toBe(1);
    clock.ms += 2;
    expect(map.get('a')).toBeUndefined();
  });

  it('a bounded map allocates no memory ahead of its entries', () => {
    expect(boundedMap<number>(2 ** 48).set('a', 1).size).toBe(1);
  });
});
