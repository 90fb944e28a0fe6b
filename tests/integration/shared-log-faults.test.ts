import { describe, expect } from 'vitest';
import { sharedEvents, storeFaults } from '../faults/scenarios/shared-log.ts';
import { SHORT } from '../faults/sizes.ts';
import { redisTest as it } from '../support/redis-test.ts';

/** Short form of `tests/faults/shared-log.test.ts`: it counts outcomes and asserts no times. */
describe('replicas with a store that they share', () => {
  it('15. events during cut connections: none is missed, without a sweep', async () => {
    expect(await sharedEvents(SHORT.sharedEvents)).toMatchObject({ missed: [], wrong: [] });
  });

  it('16. a full store, and a store cut off from one replica: each replica finds the changes itself', async () => {
    for (const outcome of await storeFaults(SHORT.storeFaults))
      expect(outcome).toMatchObject({ missed: [], wrong: [] });
  });
});
