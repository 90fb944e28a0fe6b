import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cacheStatusOf, FRESH_HIT, STALE_HIT } from '../support/cache-status.ts';
import { currentAnswer } from '../support/current-answer.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { type GeneratedCms, startGeneratedCms } from '../support/generated-cms.ts';
import { applyEdit, type Edit } from '../support/generated-edits.ts';
import { payloadPath } from '../support/payload-path.ts';
import { startRelay } from '../support/relay.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const ENV = { PUBLIC_URL: 'https://www.example.com', WEBHOOK_SECRET: SECRET, CONTENT_TTL_MS: '3600000' };

const withPayload = (address: string) => [address, payloadPath(address)];
/** An edit of an entry by its position, and the pages that show it. */
const EVENTS: readonly [kind: Edit['kind'], at: number, stale: readonly string[]][] = [
  ['body of an article', 2, ['/blog/cases/article-2']],
  ['text of a category', 0, ['/blog/guides']],
  ['contacts on the landing page', 0, ['/']],
  ['blog page', 0, ['/blog']],
  ['name of an author', 0, ['/blog/guides/article-0', '/blog/news/article-1']],
];

it.for(EVENTS)(
  'an event about the %s survives a restart: its pages are stale, and others are hits',
  async ([kind, at, stale]) => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'purges-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    const cms = await startGeneratedCms({
      articles: [0, 1, 2].map(at => ({ category: at, author: at === 2 ? 1 : 0, cover: at, date: at })),
      isDated: true,
    });
    onTestFinished(() => cms.close());
    const relay = await startRelay(cms.backend.url);
    onTestFinished(() => relay.close());
    const start = () => startSite({ contentBaseUrl: relay.url, env: ENV, dataDir });
    const addresses = addressesOf(cms);

    const before = await start();
    for (const address of addresses)
      expect([address, (await currentAnswer(before.url, address)).status]).toEqual([address, 200]);
    const event = applyEdit(cms, { kind, at, to: 7 });
    expect((await sendWebhook(before.url, SECRET, event)).status).toBe(200);
    await before.close();

    // Without the backend a stale page stays marked as stale.
    relay.goDown();
    const after = await start();
    onTestFinished(() => after.close());
    const found = new Map<string, string>();
    for (const address of addresses)
      found.set(address, cacheStatusOf(await sendRequest(after.url, address, { headers: AS_BROWSER })));
    const having = (status: RegExp) => addresses.filter(address => status.test(found.get(address) ?? ''));
    expect(having(STALE_HIT)).toEqual(stale.flatMap(withPayload));
    expect(having(FRESH_HIT)).toHaveLength(addresses.length - 2 * stale.length);
  },
);

function addressesOf(cms: GeneratedCms): string[] {
  return cms
    .addresses()
    .filter(address => !['/never', '/business-solutions'].includes(address) && !address.includes('?'))
    .flatMap(withPayload);
}
