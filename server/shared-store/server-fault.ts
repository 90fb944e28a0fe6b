export type ServerFault = keyof typeof REASONS;

/** Faults by parts of the error's text. The first match counts. */
const SIGNS: readonly (readonly [sign: RegExp, fault: ServerFault])[] = [
  [/^WRONGPASS|^NOAUTH|invalid username-password|password/i, 'user'],
  [/^NOPERM/, 'rights'],
  [/^OOM/, 'full'],
  [/^READONLY/, 'read-only'],
  [/^MISCONF/, 'disk'],
  [/^LOADING/, 'loading'],
  [/certificate|TLS|SSL/i, 'certificate'],
  [
    /ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|ETIMEDOUT|connection|closed|writeable|terminat/i,
    'unreachable',
  ],
];

/** A restarting server shows all these faults, so a change from one to another is not logged. */
export const AWAY_FAULTS: readonly ServerFault[] = ['unreachable', 'late', 'loading'];

/** @returns the fault; `late` for an unknown text, such as a time limit. */
export function faultOf(reason: string): ServerFault {
  return SIGNS.find(([sign]) => sign.test(reason))?.[1] ?? 'late';
}

/** @param noun the server in words, such as `the shared store`. @param variable its variable. */
export function remediesFor(noun: string, variable: string): Readonly<Record<ServerFault, string>> {
  return {
    user: `give ${variable} a valid user and password`,
    rights: `give the user of ${variable} the commands and keys that docs/scaling.md lists`,
    full: 'raise maxmemory of the Redis',
    'read-only': `${variable} leads to a replica: name the primary, or the Sentinels`,
    disk: 'the Redis cannot write its snapshot: look at its disk',
    loading: 'wait until the Redis has read its file',
    certificate: 'look at the certificate of the server: NODE_EXTRA_CA_CERTS names others to trust',
    unreachable: `look whether ${noun} runs, and whether ${variable} names its host and port`,
    late: `look at the load of ${noun}, and at the network between it and the site`,
  };
}

/** @returns an error's text. For a host with several addresses, only the errors inside have texts. */
export function errorText(error: Error): string {
  if (error.message) return error.message;
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  if (first instanceof Error && first.message) return first.message;
  return 'code' in error ? String(error.code) : error.name;
}

const REASONS = {
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

/**
 * Explains a failure of the store and its remedy. `news` is the kind of a problem that is logged even during
 * an outage. @param reason may begin with a command's name.
 */
export function storeProblem(reason: string) {
  if (reason.includes('cannot be used')) return { reason, remedy: UNFIT, news: UNFIT };
  const fault = faultOf(reason.replace(/^[A-Z]+: /, ''));
  const news = AWAY_FAULTS.includes(fault) ? undefined : fault;
  return { reason: REASONS[fault], remedy: REMEDIES[fault], news };
}
