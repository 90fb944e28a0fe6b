import { afterAll, describe, expect } from 'vitest';
import { STORE_FAULTS, type StoreStage, startStoreStage } from '../faults/scenarios/store-faults.ts';
import { SHORT } from '../faults/sizes.ts';
import { redisTest as it } from '../support/redis-test.ts';

let stage: StoreStage | undefined;
afterAll(() => stage?.close());

/** Short form with built replicas and a real store. `npm run test:faults` also measures times. */
describe('a fault of the shared store', () => {
  it.for(STORE_FAULTS.map(fault => [fault.name, fault] as const))(
    'with a shared store that is %s each page is served, and the replicas stay in service',
    async ([, fault]) => {
      stage ??= await startStoreStage(SHORT.sharedStore);
      const { replicas } = SHORT.sharedStore;
      const outcome = await stage.run(fault);
      expect(outcome).toMatchObject({ failed: 0, readyzAfter: Array(replicas).fill('200 ready') });
      const states = outcome.readyz.map(answer => answer.replace('200 ', ''));
      if (fault.degrades === 'all') expect(states).toEqual(Array(replicas).fill('degraded'));
      if (fault.degrades === 'first') expect(states[0]).toBe('degraded');
      expect(states.every(state => state === 'ready' || state === 'degraded')).toBe(true);
    },
  );
});
