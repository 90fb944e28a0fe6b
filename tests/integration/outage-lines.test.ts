import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { get, it } from '../support/outage-test.ts';
import { postJson, sendRequest } from '../support/send-request.ts';

const MOST_LINES = 30;
/** These are enough: more rounds, such as five minutes at 20 requests a second, would only repeat them. */
const ROUNDS = 40;
const PAGES = [
  '/',
  '/about',
  '/blog',
  '/sitemap.xml',
  '/blog/feed.xml',
  '/never/seen',
  '/commerce/never-seen',
];
const PICTURES = ['/uploads/never-seen.png', '/images/320.webp?src=/uploads/never-seen.png'];
const CONTACT = {
  form: 'contact',
  name: 'Ada',
  email: 'ada@example.org',
  message: 'Words',
  elapsedMs: 9_000,
};

it('an outage under load has at most thirty log entries besides requests, and each 503 names its cause', async ({
  startBackend,
  startProcess,
}) => {
  const backend = await startBackend();
  const site = await startProcess(backend.url, {
    env: { LOG_LEVEL: 'info', FORM_RATE_LIMIT: '1000', CONTENT_TIMEOUT_MS: '500' },
    // A real site waits a second to log one common cause. Other tests shorten this wait.
    overrides: { outbox: { pace: 50 }, holdLinesMs: 1_000 },
  });
  for (const path of ['/', '/about', '/blog']) await get(site, path);
  const before = site.log.length;
  backend.goDown();
  for (let round = 0; round < ROUNDS; round += 1) {
    const posts = [0, 1].map(() =>
      postJson(site.url, '/api/email/send', { ...CONTACT, idempotencyKey: randomUUID() }),
    );
    const visits = [...PAGES, ...PICTURES, `/search?q=word${round}`].map(path => get(site, path));
    await Promise.all([...posts, ...visits]);
  }
  backend.recover();
  await eventually(() => expect(site.site.outbox.state.waiting).toBe(0));
  const lines = site.log.slice(before);
  const others = lines.filter(({ code }) => code !== 'http-request');
  const counts: Partial<Record<string, number>> = {};
  for (const { code } of others) counts[code] = (counts[code] ?? 0) + 1;
  expect(others.length, JSON.stringify(counts)).toBeLessThanOrEqual(MOST_LINES);
  expect(counts).toMatchObject({ 'outbox-cms-down': 1, 'outbox-cms-up': 1 });
  expect(others.find(({ code }) => code === 'outbox-cms-up')?.failures).toBeGreaterThan(ROUNDS);
  const unavailable = lines.filter(({ code, status }) => code === 'http-request' && status === 503);
  expect(unavailable.length).toBeGreaterThan(ROUNDS);
  expect(
    unavailable.filter(({ cause }) => !['cms', 'busy', 'picture', 'search'].includes(String(cause))),
  ).toEqual([]);
  const { text } = await sendRequest(site.opsUrl, '/metrics');
  expect(text).toMatch(/^site_unavailable_total\{cause="cms"\} [1-9]/m);
});

it('the log entry of a form submission has the id of its message, like the entries of the outbox', async ({
  startBackend,
  startProcess,
}) => {
  const backend = await startBackend();
  const site = await startProcess(backend.url, { overrides: { outbox: { pace: 10 } } });
  backend.goDown();
  expect((await postJson(site.url, '/api/email/send', CONTACT)).status).toBe(202);
  await eventually(() => expect(site.log.some(({ code }) => code === 'outbox-delivery-failed')).toBe(true));
  const [post] = site.requests('/api/email/send');
  const failed = site.log.find(({ code }) => code === 'outbox-delivery-failed');
  expect(post?.message).toEqual(failed?.id);
  expect(post).toMatchObject({ route: 'form', host: new URL(site.url).host, client: 'program' });
});
