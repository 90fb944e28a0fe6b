import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { SEND, words } from '../support/form-test.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const ONLY_STORED = { ...AS_BROWSER, 'cache-control': 'only-if-cached' };

let backend: FakeBackend;
let site: RunningSite;
beforeAll(async () => {
  backend = await startFakeBackend();
  site = await startSite({ contentBaseUrl: backend.url });
});
afterAll(async () => {
  await site.close();
  await backend.close();
});
const ask = (path: string, headers: Record<string, string> = ONLY_STORED) =>
  sendRequest(site.url, path, { headers });

describe('a request with only-if-cached', () => {
  it('only-if-cached gets a stored page, or else a short 504', async () => {
    const missing = await ask('/terms');
    expect([missing.status, missing.body.length]).toEqual([504, 0]);
    expect(missing.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    // The page was not rendered: it is still missing.
    expect((await ask('/terms')).status).toBe(504);
    expect((await ask('/terms', AS_BROWSER)).status).toBe(200);
    const stored = await ask('/terms');
    expect([stored.status, stored.headers['cache-status']]).toEqual([
      200,
      expect.stringMatching(/^site; hit/),
    ]);
  });

  it('a form submission with only-if-cached gets a 504, and its message is not sent', async () => {
    const post = (headers: Record<string, string>) =>
      sendRequest(site.url, SEND, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(words()),
      });
    expect((await post({ 'cache-control': 'only-if-cached' })).status).toBe(504);
    expect((await post({})).status).toBe(202);
    await eventually(() => expect(backend.callsTo('/api/email/send')).toHaveLength(1));
  });

  it('an invalid request is refused even with only-if-cached', async () => {
    expect((await ask('/terms', { ...ONLY_STORED, host: 'a host' })).status).toBe(400);
  });
});
