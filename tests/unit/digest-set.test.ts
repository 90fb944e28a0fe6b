import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { DigestSet } from '../../server/cache/digest-set.ts';

const digestsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) =>
    createHash('sha256').update(`${name} ${number}`).digest('hex'),
  );

it('a set of digests has all that were added, and few others', () => {
  const set = new DigestSet();
  const own = digestsOf('own', 50_000);
  const others = digestsOf('other', 2_000);
  expect(others.some(digest => set.mayHave(digest))).toBe(false);
  for (const digest of own) set.add(digest);
  expect(own.every(digest => set.mayHave(digest))).toBe(true);
  expect(others.filter(digest => set.mayHave(digest)).length).toBeLessThan(200);
});
