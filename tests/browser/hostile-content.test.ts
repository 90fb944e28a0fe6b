import { expect, it } from 'vitest';
import { hostileContents } from '../faults/scenarios/hostile-content.ts';
import { SHORT } from '../faults/sizes.ts';

/**
 * The short form: every vector, in some of the fields; `npm run test:faults` has each of them in each field.
 */
it('hostile content in every field: no script runs, nothing leaves the site, nothing is reported', async () => {
  const outcome = await hostileContents(SHORT.hostile);
  expect(outcome.harm).toEqual([]);
  const { shifts, contents } = SHORT.hostile;
  expect(outcome.pages).toBe(shifts * 2 * 7 + contents * 2);
  expect(outcome.shown).toBeGreaterThan(outcome.pages * 0.85);
});
