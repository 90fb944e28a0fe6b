import { expect, it } from 'vitest';
import { hostileContents } from '../faults/scenarios/hostile-content.ts';
import { SHORT } from '../faults/sizes.ts';

/** This short test tries each attack in some fields. `npm run test:faults` tries each in every field. */
it('hostile content in every field runs no script, sends no request to other sites and causes no report', async () => {
  const outcome = await hostileContents(SHORT.hostile);
  expect(outcome.harm).toEqual([]);
  const { shifts, contents } = SHORT.hostile;
  expect(outcome.pages).toBe(shifts * 2 * 7 + contents * 2);
  expect(outcome.shown).toBeGreaterThan(outcome.pages * 0.85);
});
