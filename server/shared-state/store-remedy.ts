import { faultOf, remediesFor } from './server-fault.ts';

const REMEDIES = {
  ...remediesFor('the shared store', 'SHARED_URL'),
  full: 'raise maxmemory of the Redis, and set maxmemory-policy volatile-lru',
};
const UNFIT = 'give SHARED_URL a server that fits: the reason says what is wrong with this one';

/** @returns what to do where the shared store does not work. @param reason of `SharedStoreState`, which may begin with the name of a command. */
export function storeRemedy(reason: string): string {
  if (reason.includes('cannot be used')) return UNFIT;
  return REMEDIES[faultOf(reason.replace(/^[A-Z]+: /, ''))];
}
