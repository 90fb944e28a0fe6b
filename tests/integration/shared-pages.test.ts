import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startRelay } from '../support/relay.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';

it('a page rendered by another process is shown when the backend fails', async ({
  backend,
  startOwnSite,
}) => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'shared-pages-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
  const relay = await startRelay(backend.url);
  onTestFinished(() => relay.close());
  const env = { PUBLIC_URL: 'https://www.example.com' };
  const start = () => startOwnSite({ contentBaseUrl: relay.url, env, dataDir });
  const [one, other] = [await start(), await start()];
  const ask = ({ url }: { url: string }, address: string) =>
    sendRequest(url, address, { headers: AS_BROWSER });

  const rendered = await ask(one, '/about');
  expect(rendered.status).toBe(200);
  await one.site.settled();
  relay.goDown();
  for (let visit = 0; visit < 2; visit += 1) {
    const shown = await ask(other, '/about');
    expect([shown.status, shown.headers.etag]).toEqual([200, rendered.headers.etag]);
    expect(shown.body.equals(rendered.body)).toBe(true);
  }
  expect((await ask(other, '/terms')).status, 'a page that no process has rendered').toBe(503);
});
