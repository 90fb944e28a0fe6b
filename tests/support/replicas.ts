import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import type { RedisServer } from './redis.ts';
import { SHARED_SECRET } from './shared-secret.ts';
import { type RunningSite, type StartSiteOptions, startSite } from './start-site.ts';

/** Starts replicas of a site in this process, which share a store and its secret. */
export function startReplicas(
  names: readonly string[],
  redis: Pick<RedisServer, 'url'>,
  { env, ...options }: StartSiteOptions,
): Promise<RunningSite[]> {
  return Promise.all(
    names.map(name =>
      startSite({ ...options, env: { SHARED_URL: redis.url, SHARED_SECRET, REPLICA_ID: name, ...env } }),
    ),
  );
}

/** @returns the position of the last entry in the shared log, or null. */
export async function lastPurge(redis: Pick<RedisServer, 'command'>): Promise<string | null> {
  const [key] = (await redis.command('KEYS', '*:purges')) as readonly string[];
  if (key === undefined) return null;
  const facts = (await redis.command('XINFO', 'STREAM', key)) as readonly unknown[];
  return String(facts[facts.indexOf('last-generated-id') + 1]);
}

/** Resolves when each replica has applied the whole shared log. */
export async function sameLog(replicas: readonly RunningSite[], redis: RedisServer): Promise<void> {
  const last = await lastPurge(redis);
  if (last === null) return;
  await eventually(() =>
    expect(replicas.map(({ site }) => site.purges.position)).toEqual(replicas.map(() => last)),
  );
}
