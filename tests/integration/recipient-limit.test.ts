import { randomUUID } from 'node:crypto';
import { lutimes, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { SEND } from '../support/form-test.ts';
import { startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';
import { startReplicas } from '../support/replicas.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const LIMITED = 'outbox-recipient-limit';
const DAY_MS = 24 * 60 * 60 * 1_000;
const ENV = {
  SUBSCRIBE_SECRET: 'a-secret-of-the-newsletter-long-enough',
  PUBLIC_URL: 'https://www.example.com',
  TRUST_PROXY: 'loopback',
};
/** Spellings of one mailbox. */
const SPELLINGS = ['Ada.Byron@Example.com', 'ada.byron@example.com', 'a.d.a.byron+news@example.com'];

let backend: FakeBackend;
let disposals: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  backend = await startFakeBackend();
  disposals = [backend.close];
});
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

async function start(dataDir?: string, env: Record<string, string> = {}): Promise<RunningSite> {
  const site = await startSite({
    ...{ contentBaseUrl: backend.url, env: { ...ENV, ...env } },
    ...(dataDir === undefined ? {} : { dataDir }),
    overrides: { outbox: { pace: 1_000 } },
  });
  disposals.push(site.close);
  return site;
}

async function newFolder(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'recipients-'));
  disposals.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

const subscribe = ({ url }: RunningSite, email: string, from = '192.0.2.1'): Promise<Answer> =>
  sendRequest(url, SEND, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    // Each request has a new key, because equal requests without keys would count as one.
    body: JSON.stringify({
      ...{ form: 'subscribe', email, page: '/', elapsedMs: '5000', idempotencyKey: randomUUID() },
    }),
  });
/** Resolves with the addresses of the delivered subscriptions once no message waits. */
async function delivered(...sites: readonly RunningSite[]): Promise<string[]> {
  await eventually(() =>
    expect(sites.map(({ site }) => site.outbox.state.waiting)).toEqual(sites.map(() => 0)),
  );
  return backend.callsTo(SEND).map(({ body }) => (JSON.parse(body) as { email: string }).email);
}

describe('e-mails with a link, sent to one mailbox', () => {
  it('one mailbox gets only three e-mails for ninety requests from three IP addresses, and all responses are equal', async () => {
    const site = await start();
    const answers: Answer[] = [];
    for (let post = 0; post < 90; post += 1)
      answers.push(await subscribe(site, SPELLINGS[post % 3] ?? '', `192.0.2.${Math.floor(post / 30)}`));
    await subscribe(site, 'grace@example.com', '192.0.2.9');
    const told = answers.map(({ status, headers: { 'x-request-id': _, date: __, ...headers }, text }) =>
      JSON.stringify([status, Object.entries(headers).filter(([name]) => !/^ratelimit/.test(name)), text]),
    );
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toContain('202');
    const recipients = await delivered(site);
    expect(recipients.filter(email => SPELLINGS.includes(email))).toHaveLength(3);
    expect(recipients.filter(email => email === 'grace@example.com')).toHaveLength(1);
    const lines = site.log.filter(({ code }) => code === LIMITED);
    expect(lines).toHaveLength(87);
    expect(site.rawLog.join('\n').toLowerCase()).not.toMatch(/byron|grace/);
  });

  it('the limit of e-mails to one mailbox survives a restart, for a day', async () => {
    const dataDir = await newFolder();
    const before = await start(dataDir);
    for (const email of SPELLINGS.slice(0, 2)) await subscribe(before, email);
    expect(await delivered(before)).toHaveLength(2);
    await before.close();
    const after = await start(dataDir);
    for (const email of SPELLINGS) await subscribe(after, email);
    expect(await delivered(after)).toHaveLength(3);
    const places = path.join(dataDir, 'outbox/recipients');
    const names = await readdir(places);
    expect(names).toHaveLength(3);
    expect(names.join()).not.toMatch(/byron|example/i);
    const yesterday = new Date(Date.now() - DAY_MS - 1_000);
    for (const name of names) await lutimes(path.join(places, name), yesterday, yesterday);
    await after.close();
    const next = await start(dataDir);
    await eventually(async () => expect(await readdir(places)).toEqual([]));
    for (const email of [...SPELLINGS, ...SPELLINGS]) await subscribe(next, email);
    expect(await delivered(next)).toHaveLength(6);
  });

  it('a waiting e-mail counts against the limit of its mailbox', async () => {
    backend.on(SEND, (_req, res) => void res.writeHead(500).end());
    const site = await start();
    for (let post = 0; post < 6; post += 1) await subscribe(site, 'ada@example.com');
    await eventually(() => expect(backend.callsTo(SEND).length).toBeGreaterThan(12));
    await eventually(() => expect(site.site.outbox.state.waiting).toBe(3));
    backend.reset();
    await delivered(site);
    expect(backend.callsTo(SEND).filter(({ body }) => body.includes('ada@'))).toHaveLength(3);
  });

  it('replicas share the limit of e-mails to one mailbox, and each counts alone while the store is down', async ({
    redis: _,
  }) => {
    const redis = await startRedis();
    disposals.push(redis.dispose);
    const replicas = await startReplicas(['one', 'two'], redis, { contentBaseUrl: backend.url, env: ENV });
    disposals.push(...replicas.map(({ close }) => close));
    await eventually(() => expect(replicas.every(({ site }) => site.shared?.isUp)).toBe(true));
    for (const email of SPELLINGS) for (const site of replicas) await subscribe(site, email);
    expect(await delivered(...replicas)).toHaveLength(3);
    const keys = (await redis.command('KEYS', '*limit:recipient:*')) as string[];
    expect(keys).toHaveLength(3);
    expect(keys.join()).not.toMatch(/byron|example\.com:/i);
    for (const key of keys) expect(await redis.command('PTTL', key)).toBeGreaterThan(DAY_MS - 60_000);
    await redis.kill();
    await eventually(() => expect(replicas.some(({ site }) => site.shared?.isUp)).toBe(false));
    for (let post = 0; post < 4; post += 1)
      for (const site of replicas) await subscribe(site, 'grace@example.com');
    expect((await delivered(...replicas)).filter(email => email === 'grace@example.com')).toHaveLength(6);
  });
});
