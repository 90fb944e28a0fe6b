import { expect, it } from 'vitest';
import { createKnownAnswers } from '../../server/content/known-answers.ts';

const LIST = { digest: 'a', length: 5_000 };
const EMPTY = { digest: 'nothing', length: 70 };

it('the same text is the very same value, and another text is another', async () => {
  const known = createKnownAnswers();
  const first = await known.decoded('/api/a', LIST, false, async () => ({ text: 'first' }));
  expect(await known.decoded('/api/a', LIST, false, async () => ({ text: 'again' }))).toBe(first);
  const changed = { digest: 'b', length: 5_000 };
  expect(await known.decoded('/api/a', changed, false, async () => ({ text: 'changed' }))).toEqual({
    text: 'changed',
  });
  expect(await known.decoded('/api/b', LIST, false, async () => ({ text: 'other' }))).toEqual({
    text: 'other',
  });
});

it('what could not be decoded is tried again', async () => {
  const known = createKnownAnswers();
  await expect(known.decoded('/api/a', LIST, false, () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  );
  expect(await known.decoded('/api/a', LIST, false, async () => ({ text: 'now' }))).toEqual({ text: 'now' });
});

it('no end of wrong addresses is bounded, and pushes no right one out', async () => {
  const known = createKnownAnswers();
  const right = await known.decoded('/api/right', LIST, false, async () => ({ text: 'right' }));
  for (let wrong = 0; wrong < 50_000; wrong += 1)
    await known.decoded(`/api/articles?filters[slug][$eq]=nowhere-${wrong}`, EMPTY, true, async () => ({}));
  // A megabyte of what weighs half a kilobyte each.
  expect(known.entries).toBeLessThan(2_100);
  expect(known.entries).toBeGreaterThan(1_000);
  expect(await known.decoded('/api/right', LIST, false, async () => ({ text: 'again' }))).toBe(right);
});
