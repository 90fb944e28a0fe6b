import { startRedis } from '../../support/redis.ts';
import { SHARED_SECRET } from '../../support/shared-secret.ts';
import { type BuiltSite, startBuiltSite } from '../built-site.ts';
import { statusesOf } from '../client.ts';
import { revisionIn, startFaultyBackend } from '../faulty-backend.ts';
import { askAll } from '../stage.ts';

export interface FleetSizes {
  pages: number;
  replicas: number;
}

export interface FleetOutcome {
  /** Content calls of one replica alone, and of all replicas, without calls of probes, doctor and sweep. */
  callsAlone: number;
  callsOfAll: number;
  /** Responses of a new replica with an empty disk, while the CMS is dead. */
  newReplica: {
    statuses: Record<number, number>;
    good: number;
    /** Time from the start of the new replica until `/readyz` was 200. */
    readyAfterMs: number;
  };
}

/**
 * Each page is requested from all replicas with a shared store at the same time. Then the CMS dies, and one
 * more replica starts.
 */
export async function fleet({ pages, replicas }: FleetSizes): Promise<FleetOutcome> {
  const backend = await startFaultyBackend(pages);
  const redis = await startRedis();
  const sites: BuiltSite[] = [];
  const paths = backend.articles.map(({ path }) => path);
  async function start(prefix: string, count: number): Promise<BuiltSite[]> {
    const started = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        startBuiltSite({
          contentBaseUrl: backend.url,
          env: {
            ...{
              SHARED_URL: redis.url,
              SHARED_SECRET,
              SHARED_PREFIX: prefix,
              REPLICA_ID: `${prefix}${index}`.replace(':', '-'),
            },
            ...{ CONTENT_SWEEP_MS: '0', CONTENT_TTL_MS: '600000' },
          },
        }),
      ),
    );
    sites.push(...started);
    return started;
  }
  const callsOf = async (of: readonly BuiltSite[]) =>
    (await Promise.all(of.map(site => site.metric('site_backend_calls_total')))).reduce((a, b) => a + b, 0);
  try {
    const alone = await start('alone:', 1);
    for (const { url } of alone) await askAll(url, paths, 2);
    const callsAlone = await callsOf(alone);
    const all = await start('all:', replicas);
    await Promise.all(all.map(({ url }) => askAll(url, paths, 2)));
    const callsOfAll = await callsOf(all);

    await backend.fail('refuse');
    const startedAt = performance.now();
    const [added] = await start('all:', 1);
    const readyAfterMs = performance.now() - startedAt;
    const replies = await askAll(added?.url ?? '', paths, 2);
    const good = replies.filter(({ text }) => revisionIn(text) === 1).length;
    return { callsAlone, callsOfAll, newReplica: { statuses: statusesOf(replies), good, readyAfterMs } };
  } finally {
    await Promise.all(sites.map(site => site.dispose()));
    await redis.dispose();
    await backend.close();
  }
}
