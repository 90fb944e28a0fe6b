import { AWAY_FAULTS, faultOf, remediesFor, type ServerFault } from './server-fault.ts';

const REASONS: Readonly<Record<ServerFault, string>> = {
  user: 'the store does not accept the user and the password of SHARED_URL',
  rights: 'the user of SHARED_URL lacks rights in the store',
  full: 'the store is full and takes nothing new',
  'read-only': 'the server of SHARED_URL can only be read',
  disk: 'the store takes nothing new, because it cannot write to its disk',
  loading: 'the store is still reading its file',
  certificate: 'the certificate of the store is not trusted',
  unreachable: 'there is no connection to the store',
  late: 'the store gives no answer in time',
};
const REMEDIES = {
  ...remediesFor('the shared store', 'SHARED_URL'),
  full: 'raise maxmemory of the Redis, and set maxmemory-policy volatile-lru',
};
const UNFIT = 'give SHARED_URL a server that fits: the reason says what is wrong with this one';

interface StoreProblem {
  readonly reason: string;
  readonly remedy: string;
  /** The kind of a problem that is logged even during an outage; undefined if the store is only down. */
  readonly news: string | undefined;
}

/** Explains a failure of the store and its remedy. `reason` may begin with a command's name. */
export function storeProblem(reason: string): StoreProblem {
  if (reason.includes('cannot be used')) return { reason, remedy: UNFIT, news: UNFIT };
  const fault = faultOf(reason.replace(/^[A-Z]+: /, ''));
  const news = AWAY_FAULTS.includes(fault) ? undefined : fault;
  return { reason: REASONS[fault], remedy: REMEDIES[fault], news };
}
