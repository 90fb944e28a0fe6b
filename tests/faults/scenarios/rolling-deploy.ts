import { setTimeout as delay } from 'node:timers/promises';
import { startRedis } from '../../support/redis.ts';
import { makeSecondBuild } from '../../support/second-build.ts';
import { SHARED_SECRET } from '../../support/shared-secret.ts';
import { type BuiltSite, startBuiltSite } from '../built-site.ts';
import { askAnyway, keepAlive, type Reply } from '../client.ts';
import { startFaultyBackend } from '../faulty-backend.ts';

export interface DeploySizes {
  pages: number;
  /** Number of visitors who load page after page with its files. */
  visitors: number;
  /** Duration of the phase with both builds, and of the phase after the last step, in ms. */
  mixedMs: number;
  shutdownDelayMs: number;
}

export interface DeployOutcome {
  pages: number;
  assets: number;
  /** Page loads that were not answered with 200, or name no stylesheet or script. */
  brokenPages: string[];
  missingAssets: string[];
  /** Requests whose connection was refused or cut. */
  refused: number;
  /**
   * Builds that polls found during the deploy (two replicas old, one new), after it, and after the roll-back.
   */
  polled: { mixed: string[]; deployed: string[]; rolledBack: string[] };
}

/** A replica behind the balancer. */
interface Target {
  site: BuiltSite;
  isReady: boolean;
}

const LOOK_EVERY_MS = 100;
const POLLS = 12;
const ASSET = /\/assets\/[\w-]+-[A-Z0-9]{8}\.(?:js|css)/g;

/**
 * Three replicas without a common disk change to another build one by one, and back. Meanwhile visitors load
 * pages with all files. Each request goes to the next replica whose `/readyz` is 200.
 */
export async function rollingDeploy(sizes: DeploySizes): Promise<DeployOutcome> {
  const { pages, visitors, mixedMs, shutdownDelayMs } = sizes;
  const redis = await startRedis();
  const backend = await startFaultyBackend(pages);
  const next = await makeSecondBuild();
  const targets: Target[] = [];
  const started: BuiltSite[] = [];
  const agent = keepAlive();
  let turn = 0;

  async function start(main?: string): Promise<void> {
    const site = await startBuiltSite({
      contentBaseUrl: backend.url,
      ...(main === undefined ? {} : { main }),
      env: {
        ...{
          SHARED_URL: redis.url,
          SHARED_SECRET,
          SHARED_PREFIX: 'deploy:',
          REPLICA_ID: `replica-${started.length}`,
        },
        ...{ SHUTDOWN_DELAY_MS: String(shutdownDelayMs), CONTENT_TTL_MS: '2000' },
      },
    });
    started.push(site);
    targets.push({ site, isReady: true });
  }

  /** Takes the longest-running replica out of service. */
  async function stopOldest(): Promise<void> {
    const [oldest] = targets;
    if (!oldest) throw new Error('No replica runs');
    await oldest.site.end('SIGTERM');
    targets.shift();
  }

  const outcome: DeployOutcome = {
    ...{ pages: 0, assets: 0, brokenPages: [], missingAssets: [], refused: 0 },
    polled: { mixed: [], deployed: [], rolledBack: [] },
  };
  async function request(address: string): Promise<Reply> {
    const ready = targets.filter(({ isReady }) => isReady);
    turn += 1;
    const reply = await askAnyway(ready[turn % ready.length]?.site.url ?? '', address, { agent });
    if (reply.status === 0) outcome.refused += 1;
    return reply;
  }
  async function visit(address: string): Promise<void> {
    const { status, text } = await request(address);
    const files = new Set(text.match(ASSET));
    const has = (extension: string) => [...files].some(file => file.endsWith(extension));
    outcome.pages += 1;
    if (status !== 200 || !has('.css') || !has('.js')) outcome.brokenPages.push(`${address}: ${status}`);
    for (const file of files) {
      const answer = await request(file);
      outcome.assets += 1;
      if (answer.status !== 200) outcome.missingAssets.push(`${file}: ${answer.status}`);
    }
  }
  /** Requests the latest build as open tabs do. @returns the distinct responses. */
  async function poll(): Promise<string[]> {
    const answers: string[] = [];
    for (let number = 0; number < POLLS; number += 1)
      answers.push((JSON.parse((await request('/builds/latest.json')).text) as { id: string }).id);
    return [...new Set(answers)];
  }

  let isOver = false;
  const looks = setInterval(() => {
    for (const target of targets)
      void askAnyway(target.site.url, '/readyz').then(({ status }) => {
        target.isReady = status === 200;
      });
  }, LOOK_EVERY_MS);
  try {
    for (let number = 0; number < 3; number += 1) await start();
    const addresses = backend.articles.map(({ path }) => path);
    const all = Array.from({ length: visitors }, async (_, number) => {
      for (let at = number; !isOver; at += visitors) await visit(addresses[at % addresses.length] ?? '/');
    });
    const main = `${next.distDir}/server/main.js`;
    await start(main);
    await stopOldest();
    outcome.polled.mixed = await poll();
    await delay(mixedMs);
    for (let number = 0; number < 2; number += 1) {
      await start(main);
      await stopOldest();
    }
    outcome.polled.deployed = await poll();
    for (let number = 0; number < 3; number += 1) {
      await start();
      await stopOldest();
    }
    outcome.polled.rolledBack = await poll();
    await delay(mixedMs);
    isOver = true;
    await Promise.all(all);
    return outcome;
  } finally {
    isOver = true;
    clearInterval(looks);
    agent.destroy();
    for (const site of started) await site.dispose();
    await next.remove();
    await backend.close();
    await redis.dispose();
  }
}
