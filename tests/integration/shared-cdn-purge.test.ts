import { createServer } from 'node:http';
import { expect } from 'vitest';
import { entryEvent, sendWebhook, startEditableBackend } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { startFaultyLink } from '../support/faulty-link.ts';
import { SECRET, SPAIN } from '../support/invalidation-test.ts';
import { close, listen } from '../support/listen.ts';
import { startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';
import { sameLog } from '../support/replicas.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const NEW = 'Only after the edit';

it('a CDN is purged only after each replica has received the change, so it fetches no old page', async () => {
  const backend = await startEditableBackend();
  const redis = await startRedis();
  const link = await startFaultyLink(redis.port);
  const sites: RunningSite[] = [];
  /**
   * Whether the slow replica knew of the change when the purge arrived. A busy replica may serve the old page
   * for a moment, but as a stale one, which no CDN stores.
   */
  const answers: boolean[] = [];
  const read = (site: RunningSite) => sendRequest(site.url, SPAIN, { headers: AS_BROWSER });
  const cdn = createServer(async (_req, res) => {
    const slow = sites[1];
    if (slow) {
      const { text, headers } = await read(slow);
      answers.push(text.includes(NEW) || /; ttl=-/.test(String(headers['cache-status'])));
    }
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  const cdnUrl = await listen(cdn);
  try {
    for (const port of [redis.port, link.port])
      sites.push(
        await startSite({
          contentBaseUrl: backend.url,
          env: {
            ...{ SHARED_URL: `redis://127.0.0.1:${port}`, SHARED_PREFIX: 'cdn:', REPLICA_ID: `at-${port}` },
            ...{ PUBLIC_URL: 'https://www.example.com', WEBHOOK_SECRET: SECRET },
            ...{ CDN_PURGE: 'fastly:a-service', CDN_TOKEN: 'a-token', CDN_API: cdnUrl },
          },
        }),
      );
    for (const site of sites) site.site.replicas?.begin();
    for (const site of sites) await read(site);
    await sameLog(sites, redis);
    await eventually(async () => expect(await sites[0]?.site.replicas?.list()).toHaveLength(2));
    // Four round trips over this link take far less than the maximum wait of a purge, half a second.
    link.delay(40);
    const [first] = sites as [RunningSite];
    const row = backend.row('article', 'accepting-cards-in-spain');
    row.attributes.h1 = NEW;
    expect((await sendWebhook(first.url, SECRET, entryEvent('entry.publish', 'article', row))).status).toBe(
      200,
    );
    await eventually(() => expect(answers.length).toBeGreaterThan(0));
    expect(answers[0]).toBe(true);
  } finally {
    for (const { close: end } of sites) await end();
    await close(cdn);
    await link.close();
    await redis.dispose();
    await backend.close();
  }
});
