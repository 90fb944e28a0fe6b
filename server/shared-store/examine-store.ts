import { SharedStoreError } from './store-command.ts';

/** Facts about the store from its INFO. */
export interface StoreFacts {
  /** Name and version, such as `redis 7.0.15` or `valkey 8.1.1`. */
  readonly server: string;
  /** `maxmemory-policy`; null if unknown. */
  readonly policy: string | null;
  /** `maxmemory` in bytes; 0 for unlimited. */
  readonly maxBytes: number;
}

export type Examination =
  | { readonly kind: 'usable'; readonly facts: StoreFacts }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The first version that trims streams by age (XTRIM MINID). */
const MIN_VERSION = [6, 2] as const;

/** @throws SharedStoreError for a text that is not an INFO. */
export function examineInfo(info: string): Examination {
  const fields = new Map(
    info.split('\r\n').flatMap(line => {
      const [, name, value] = /^(\w+):(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
  const version = fields.get('redis_version');
  if (version === undefined) throw new SharedStoreError('refused', 'INFO names no version');
  const valkey = fields.get('valkey_version');
  const server = valkey === undefined ? `redis ${version}` : `valkey ${valkey}`;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]))
    return { kind: 'unusable', reason: `it is ${server}, and Redis 7 or Valkey is needed (6.2 at least)` };
  if (fields.get('redis_mode') === 'cluster')
    return {
      kind: 'unusable',
      reason:
        'it is a node of a cluster, which has a part of the keys: give the address of a single server or of Sentinels',
    };
  return {
    kind: 'usable',
    facts: {
      server,
      policy: fields.get('maxmemory_policy') ?? null,
      maxBytes: Number(fields.get('maxmemory') ?? 0),
    },
  };
}

/** @returns the change of policy that an operator should make; null for none. */
export function policyAdvice({ policy, maxBytes }: StoreFacts): string | null {
  if (policy === null) return 'the store does not tell its maxmemory-policy: volatile-lru is recommended';
  if (policy.startsWith('allkeys'))
    return `maxmemory-policy is ${policy}, so a full store may evict the log of invalidations and all replicas start anew: set volatile-lru`;
  if (policy === 'noeviction')
    return `maxmemory-policy is noeviction, so a full store takes no new content${maxBytes === 0 ? ', and maxmemory is not set' : ''}: volatile-lru is recommended`;
  return null;
}
