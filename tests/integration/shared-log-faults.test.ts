import { describe, expect } from 'vitest';
import { sharedEvents, storeFaults } from '../faults/scenarios/shared-log.ts';
import { SHORT } from '../faults/sizes.ts';
import { redisTest as it } from '../support/redis-test.ts';

/** The short form of `tests/faults/shared-log.test.ts`: outcomes are counted, no times are asserted. */
describe('replicas with a store that they share', () => {
  it('15. events while connections are cut: none is missed, without a sweep', async () => {
    expect(await sharedEvents(SHORT.sharedEvents)).toMatchObject({ missed: [], wrong: [] });
  });

  it('16. a store that is full, and one that is cut off from a replica: each replica finds the changes by itself', async () => {
    for (const outcome of await storeFaults(SHORT.storeFaults))
      expect(outcome).toMatchObject({ missed: [], wrong: [] });
  });
});
