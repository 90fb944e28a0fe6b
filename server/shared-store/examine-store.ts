import { SharedStoreError } from './store-command.ts';

export interface StoreFacts {
  /** Name and version, such as `redis 7.0.15` or `valkey 8.1.1`. */
  readonly server: string;
  /** `maxmemory-policy`; null if unknown. */
  readonly policy: string | null;
  /** `maxmemory` in bytes; 0 for unlimited. */
  readonly maxBytes: number;
}

type Examination =
  | { readonly kind: 'usable'; readonly facts: StoreFacts }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The first version that trims streams by age (XTRIM MINID). */
const MIN_VERSION = [6, 2] as const;

/** @throws SharedStoreError for a text that is no response to INFO. */
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

/** @returns what an operator should change; null for nothing. Only the log's keys have no TTL. */
export function policyAdvice({ policy, maxBytes }: StoreFacts) {
  if (policy?.startsWith('volatile')) return null;
  const remedy = `set maxmemory-policy volatile-lru${maxBytes === 0 ? ' and a maxmemory' : ''}`;
  if (policy === null)
    return { level: 'info' as const, effect: 'the store does not tell its maxmemory-policy', remedy };
  const effect = policy.startsWith('allkeys')
    ? 'a full store may evict the log of invalidations, and all replicas start anew'
    : 'a full store takes neither changes nor content';
  // Without `maxmemory` the store itself never counts as full.
  const isHarmless = policy === 'noeviction' && maxBytes === 0;
  return {
    level: isHarmless ? ('info' as const) : ('warn' as const),
    effect: `maxmemory-policy is ${policy}, so ${effect}`,
    remedy,
  };
}
