import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultyLink, startFaultyLink } from '../support/faulty-link.ts';
import { type CmsRow, type GeneratedCms, startGeneratedCms } from '../support/generated-cms.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { lastPurge } from '../support/replicas.ts';
import { SHARED_SECRET } from '../support/shared-secret.ts';
import { type BuiltSite, startBuiltSite } from './built-site.ts';
import { askAnyway, forEachAtOnce, keepAlive } from './client.ts';
import { WEBHOOK_SECRET } from './stage.ts';

/** A built site of several processes, each with a separate link to the shared store. */
export interface Fleet {
  readonly redis: RedisServer;
  readonly cms: GeneratedCms;
  readonly replicas: readonly Replica[];
  /** Changes the heading of an article, or publishes a draft, and sends the event to a replica. */
  publish(slug: string, receiver: Replica | null): Promise<Edit>;
  /** Unpublishes an article, and sends the event to a replica. */
  unpublish(slug: string, receiver: Replica | null): Promise<Edit>;
  /**
   * Requests an edited article from each replica until it is right, or until a time in ms has passed.
   * @returns the ms from the edit until each replica was right, or null for a replica that stayed wrong.
   */
  untilRight(edit: Edit, limitMs: number, pauseMs: number): Promise<readonly (number | null)[]>;
  /** Resolves when all replicas use the shared store. */
  allWell(): Promise<void>;
  /** Resolves when each replica has applied the whole shared log. */
  sameLog(): Promise<void>;
  /** Resolves when the sweep of each replica has seen all types. It finds only changes after that. */
  swept(): Promise<void>;
  /** @returns a line for each article that a replica shows wrong, in its first and second response. */
  wrong(): Promise<string[]>;
  dispose(): Promise<void>;
}

export interface Replica {
  readonly site: BuiltSite;
  readonly link: FaultyLink;
}

/** An edit, with its time by `performance.now()`. */
export interface Edit {
  readonly slug: string;
  readonly at: number;
}

export interface FleetSizes {
  replicas: number;
  articles: number;
}

/** Redis user of the replicas. A test removes its password. */
export const USER = 'site';
export const PASSWORD = 'right';
const BY_ONE = 4;
const BUSY_PAUSE_MS = 500;

/** Starts Redis, a CMS and the replicas, and requests all articles from each replica. */
export async function startFleet(
  { replicas: count, articles: articleCount }: FleetSizes,
  env: Readonly<Record<string, string>> = {},
): Promise<Fleet> {
  const ends: (() => Promise<unknown>)[] = [];
  const dispose = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    const redis = await startRedis({ config: ['maxmemory-policy noeviction'] });
    ends.push(() => redis.dispose());
    await redis.command('ACL', 'SETUSER', USER, 'on', `>${PASSWORD}`, '~*', '+@all');
    const cms = await startGeneratedCms({
      articles: Array.from({ length: articleCount }, (_, at) => ({
        ...{ category: at % 3, author: 0, cover: 2, date: at },
      })),
      isDated: true,
    });
    ends.push(() => cms.close());
    /** Expected heading of each article, or null for an unpublished article. */
    const headings = new Map<string, string | null>(
      cms.rows('article').map(({ slug, h1 }) => [String(slug), String(h1)]),
    );
    const paths = new Map(cms.rows('article').map(row => [String(row.slug), pathOf(row)]));
    const replicas: Replica[] = [];
    for (let number = 0; number < count; number += 1) {
      const link = await startFaultyLink(redis.port);
      ends.push(() => link.close());
      const site = await startBuiltSite({
        contentBaseUrl: cms.backend.url,
        env: {
          SHARED_URL: `redis://${USER}:${PASSWORD}@127.0.0.1:${link.port}`,
          SHARED_SECRET,
          REPLICA_ID: `replica-${number}`,
          CONTENT_TTL_MS: '3600000',
          ...{ WEBHOOK_SECRET, LOG_LEVEL: 'info' },
          ...env,
        },
      });
      ends.push(() => site.dispose());
      replicas.push({ site, link });
    }
    const agent = keepAlive(BY_ONE * count);
    ends.push(async () => agent.destroy());
    let revisions = 0;

    /** @returns why a response is wrong, or null for a right one. */
    const fault = async ({ site }: Replica, slug: string) => {
      const { status, text } = await askAnyway(site.url, paths.get(slug) ?? '', { agent });
      const heading = headings.get(slug) ?? null;
      const isRight = heading === null ? status === 404 : status === 200 && text.includes(`>${heading}<`);
      return isRight ? null : `${slug} is ${status}, and should be ${heading ?? 'gone'}`;
    };
    const isRight = async (replica: Replica, slug: string) => (await fault(replica, slug)) === null;
    async function announce(slug: string, event: object, receiver: Replica | null): Promise<Edit> {
      const at = performance.now();
      if (receiver) await sendWebhook(receiver.site.url, WEBHOOK_SECRET, event);
      return { slug, at };
    }
    const rowOf = (rows: readonly CmsRow[], slug: string) => rows.find(row => row.slug === slug);
    const fleet: Fleet = {
      ...{ redis, cms, replicas, dispose },
      publish(slug, receiver) {
        revisions += 1;
        const row = rowOf(cms.rows('article'), slug) ?? rowOf(cms.drafts('article'), slug);
        if (!row) throw new Error(`There is no article ${slug}`);
        const h1 = `Revision ${revisions} of ${slug}`;
        headings.set(slug, h1);
        return announce(slug, cms.publish('article', row, { h1 }), receiver);
      },
      unpublish(slug, receiver) {
        const row = rowOf(cms.rows('article'), slug);
        if (!row) throw new Error(`There is no article ${slug}`);
        headings.set(slug, null);
        return announce(slug, cms.withdraw('article', row, 'entry.unpublish'), receiver);
      },
      untilRight: ({ slug, at }, limitMs, pauseMs) =>
        Promise.all(
          replicas.map(async replica => {
            for (;;) {
              const isDone = await isRight(replica, slug);
              const ms = performance.now() - at;
              if (isDone) return ms;
              if (ms > limitMs) return null;
              await delay(pauseMs);
            }
          }),
        ),
      allWell: () =>
        eventually(async () => {
          for (const { site } of replicas) {
            const { purges, status } = await readyz(site);
            expect([purges, status]).toEqual(['shared', 'ready']);
          }
        }, 30_000),
      swept: () =>
        eventually(async () => {
          for (const { site } of replicas) expect(await hasSwept(site)).toBe(true);
        }, 30_000),
      async sameLog() {
        const last = await lastPurge(redis);
        await eventually(async () => {
          for (const { site } of replicas) expect((await readyz(site)).purgesPosition).toBe(last);
        });
      },
      async wrong() {
        const slugs = [...headings.keys()];
        const found = await Promise.all(
          replicas.map((replica, number) =>
            forEachAtOnce(slugs, BY_ONE, async slug => {
              if ((await fault(replica, slug)) === null) return [];
              let second = await fault(replica, slug);
              // A busy machine responds with 503 to a page that is not stored.
              while (second?.includes(' is 503,')) {
                await delay(BUSY_PAUSE_MS);
                second = await fault(replica, slug);
              }
              return second === null ? [] : [`replica ${number}: ${second}`];
            }),
          ),
        );
        return found.flat(2);
      },
    };
    expect(await fleet.wrong()).toEqual([]);
    return fleet;
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function readyz({ opsUrl }: BuiltSite): Promise<Record<string, unknown>> {
  return (await fetch(`${opsUrl}/readyz`)).json() as Promise<Record<string, unknown>>;
}

function pathOf({ slug, category }: CmsRow): string {
  return `/blog/${(category as CmsRow).slug}/${slug}`;
}

/** @returns whether the sweep of a replica has seen all types, so that it can find a change. */
async function hasSwept({ dataDir }: BuiltSite): Promise<boolean> {
  for await (const file of glob('**/sweep.*.json', { cwd: dataDir })) {
    const states: object = JSON.parse(await readFile(path.join(dataDir, file), 'utf8'));
    return Object.hasOwn(states, 'settings');
  }
  return false;
}
