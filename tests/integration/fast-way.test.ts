import { Agent } from 'node:http';
import { expect } from 'vitest';
import { cacheStatusOf, HIT } from '../support/cache-status.ts';
import { eventually } from '../support/eventually.ts';
import { pageCacheTest, storableHeaders } from '../support/page-cache-test.ts';
import { payloadPath } from '../support/payload-path.ts';
import { CONTENT_PATHS } from '../support/sample-paths.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const it = pageCacheTest.extend('agent', async ({}, { onCleanup }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onCleanup(() => agent.destroy());
  return agent;
});

/** @returns the number of requests answered by the listener, and the number answered by Express. */
async function waysOf({ opsUrl }: RunningSite): Promise<{ fast: number; express: number }> {
  const { text } = await sendRequest(opsUrl, '/metrics');
  const count = (way: string) =>
    Number(new RegExp(`^site_answers_total\\{way="${way}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return { fast: count('fast'), express: count('express') };
}

const ENCODINGS = ['br', 'gzip'];

it('stored pages, payloads, documents and build files are answered without Express', async ({
  sample,
  agent,
}) => {
  const { entry, stylesheet } = sample.site.manifest;
  const pages = CONTENT_PATHS;
  const stored = [...pages, ...pages.map(payloadPath), '/sitemap.xml', '/blog/feed.xml'];
  const files = [entry, stylesheet, '/favicon.svg'];
  const ask = (address: string, headers: Record<string, string>, method = 'GET') =>
    sendRequest(sample.url, address, { method, agent, headers: { ...AS_BROWSER, ...headers } });
  for (const address of stored)
    for (const encoding of ENCODINGS) await ask(address, { 'accept-encoding': encoding });
  await eventually(async () => {
    for (const address of stored)
      for (const encoding of ENCODINGS)
        expect([address, cacheStatusOf(await ask(address, { 'accept-encoding': encoding }))]).toEqual([
          address,
          expect.stringMatching(HIT),
        ]);
  });

  const before = await waysOf(sample);
  let asked = 0;
  for (const address of [...stored, ...files]) {
    for (const encoding of [...ENCODINGS, 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const full = await ask(address, headers);
      const { etag } = full.headers;
      const answers = [
        full,
        await ask(address, headers, 'HEAD'),
        await ask(`${address}?utm_source=a`, headers),
      ];
      if (etag) answers.push(await ask(address, { ...headers, 'if-none-match': etag }));
      asked += answers.length;
      expect([address, ...answers.map(({ status }) => status)]).toEqual([
        address,
        200,
        200,
        200,
        ...(etag ? [304] : []),
      ]);
      // A connection that closes after its response, so Node writes the head.
      const {
        connection,
        'keep-alive': _time,
        ...alone
      } = storableHeaders(await sendRequest(sample.url, address, { headers: { ...AS_BROWSER, ...headers } }));
      asked += 1;
      expect([address, connection, storableHeaders(full)]).toEqual([
        ...[address, 'close', { ...alone, connection: 'keep-alive', 'keep-alive': 'timeout=65' }],
      ]);
    }
  }
  expect(await waysOf(sample)).toEqual({ fast: before.fast + asked, express: before.express });
});

it('Express answers a cache miss', async ({ sample, agent }) => {
  const before = await waysOf(sample);
  await sendRequest(sample.url, '/no/such/page', { agent });
  expect(await waysOf(sample)).toEqual({ fast: before.fast, express: before.express + 1 });
});
