export type ServerFault =
  | 'user'
  | 'rights'
  | 'full'
  | 'read-only'
  | 'disk'
  | 'loading'
  | 'certificate'
  | 'unreachable'
  | 'late';

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

/** A server that restarts passes through all these states, so a change between them is no news. */
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

/** @returns an error's text. For a host with several addresses, only errors of the attempts have one. */
export function errorText(error: Error): string {
  if (error.message) return error.message;
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  if (first instanceof Error && first.message) return first.message;
  return 'code' in error ? String(error.code) : error.name;
}
