import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { startBuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';
import { type Behaviour, failing } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { inFull } from '../support/in-full.ts';
import { outboxTest as it, message, SEND } from '../support/outbox-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { postForm, postJson } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';
import { testDisk } from '../support/test-disk.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

async function ready(site: RunningSite): Promise<Record<string, unknown>> {
  return (await (await fetch(`${site.opsUrl}/readyz`)).json()) as Record<string, unknown>;
}

describe('a backend that does not accept a message', () => {
  it.for<[what: string, answer: Behaviour]>([
    ['answers 500', failing(500)],
    ['answers 409', failing(409)],
    ['hangs up', (req, _res) => void req.socket.destroy()],
  ])(
    'a message is sent again with the same idempotency key, after the client got its 202, if the backend %s',
    async ([_what, answer], { backend, start, received, emails, names }) => {
      backend.on(SEND, answer);
      const site = await start();
      const sent = message();
      const idempotencyKey = randomUUID();
      expect((await postJson(site.url, SEND, { ...sent, idempotencyKey })).status).toBe(202);
      await eventually(() => expect(received().length).toBeGreaterThanOrEqual(2));
      expect(await names('waiting')).toEqual([`${messageId(idempotencyKey)}.json`]);
      backend.on(SEND, {});
      await eventually(() => expect(site.site.outbox.state.waiting).toBe(0));
      expect(await names('waiting')).toEqual([]);
      expect(new Set(received().map(({ headers }) => headers['idempotency-key']))).toEqual(
        new Set([idempotencyKey]),
      );
      expect(new Set(emails())).toEqual(new Set([sent.email]));
      // The log has one entry about the outage, and never the message itself.
      const complaints = site.log.filter(({ level }) => level === 'error');
      expect(complaints.map(({ code }) => code)).toEqual(['outbox-cms-down']);
      expect(JSON.stringify(site.log)).not.toContain(sent.email);
    },
  );

  it('a slow backend gets more time for a message than for a page', async ({ backend, start, received }) => {
    const slow = heldAnswer({});
    backend.on(SEND, slow.behaviour);
    const site = await start({ env: { CONTENT_TIMEOUT_MS: '50' } });
    expect((await postJson(site.url, SEND, message())).status).toBe(202);
    await eventually(() => expect(slow.waiting()).toBe(1));
    // Another message arrives during the delivery, and its response does not wait either.
    expect((await postJson(site.url, SEND, message())).status).toBe(202);
    await eventually(() => expect(slow.waiting()).toBe(2));
    slow.release();
    await eventually(() => expect(site.site.outbox.state.waiting).toBe(0));
    expect(received()).toHaveLength(2);
  });

  it('a message that the backend has not accepted for a day becomes a dead letter', async ({
    backend,
    start,
    received,
    names,
    fileOf,
    leave,
  }) => {
    backend.on(SEND, failing(500));
    const key = await leave('waiting', DAY_MS + 1_000);
    const fresh = await leave('waiting', DAY_MS / 2);
    const startedAt = Date.now();
    // At the usual pace no message is tried twice during the test.
    const site = await start({ overrides: { outbox: { pace: 1 } } });
    await eventually(async () => expect(await names('dead')).toEqual([`${messageId(key)}.json`]));
    await eventually(() => expect(site.site.outbox.state).toMatchObject({ waiting: 1, dead: 1 }));
    expect(await names('waiting')).toEqual([`${messageId(fresh)}.json`]);
    expect(
      received()
        .map(({ headers }) => headers['idempotency-key'])
        .sort(),
    ).toEqual([key, fresh].sort());
    // The retention time of the dead letter begins now.
    expect((await stat(fileOf('dead', key))).mtimeMs).toBeGreaterThanOrEqual(startedAt);
  });
});

describe('a disk', () => {
  it('a full disk leads to a 503 with the typed values, and the log has the reason', async ({
    start,
    received,
    emails,
  }) => {
    const disk = testDisk();
    disk.fill();
    const site = await start({ overrides: { writeFileAtomically: disk.writeFileAtomically } });
    const sent = { ...message(), page: '/' };
    const answer = await postJson(site.url, SEND, sent);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json()).toEqual({ message: expect.stringContaining('Nothing you typed is lost') });
    const page = await postForm(site.url, SEND, sent);
    expect(page.status).toBe(503);
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
    expect(page.headers['cache-control']).toBe('no-store');
    const field = parsePage(page.text)
      .all('input')
      .find(({ properties }) => properties.id === 'subscribe-email');
    expect(field?.properties.value).toBe(sent.email);
    expect(site.log.filter(({ code }) => code === 'form-not-accepted')).toMatchObject([
      { level: 'error', err: { cause: { code: 'ENOSPC' } } },
      { level: 'error', err: { cause: { code: 'ENOSPC' } } },
    ]);
    expect(received()).toEqual([]);
    disk.reset();
    expect((await postJson(site.url, SEND, sent)).status).toBe(202);
    await eventually(() => expect(emails()).toEqual([sent.email]));
    expect(JSON.stringify(site.log)).not.toContain(sent.email);
  });

  it('a disk that refuses writes leads to a 503 until it accepts them', async ({
    dataDir,
    start,
    received,
  }) => {
    // Replace the folder with a file, because root ignores the permissions of a folder.
    await writeFile(path.join(dataDir, 'outbox'), '');
    const site = await start();
    expect((await postJson(site.url, SEND, message())).status).toBe(503);
    await rm(path.join(dataDir, 'outbox'));
    expect((await postJson(site.url, SEND, message())).status).toBe(202);
    await eventually(() => expect(received()).toHaveLength(1));
  });

  it('removed folders of the outbox are created again', async ({ dataDir, start, received }) => {
    const site = await start();
    expect((await postJson(site.url, SEND, message())).status).toBe(202);
    await eventually(() => expect(received()).toHaveLength(1));
    await rm(path.join(dataDir, 'outbox'), { recursive: true });
    await postJson(site.url, SEND, message());
    expect((await postJson(site.url, SEND, message())).status).toBe(202);
    await eventually(() => expect(received().length).toBeGreaterThanOrEqual(2));
  });

  it('an invalid file becomes a dead letter, and the other messages are delivered', async ({
    start,
    emails,
    names,
    leave,
  }) => {
    const broken = await leave('waiting', 5_000, '{"key":');
    const good = await leave('waiting', 4_000);
    await start();
    await eventually(() => expect(emails()).toEqual([`${good}@example.com`]));
    await eventually(async () => expect(await names('dead')).toEqual([`${messageId(broken)}.json`]));
  });

  it('only the user of the site may read a message on disk', async ({ backend, dataDir, start, fileOf }) => {
    const slow = heldAnswer({});
    backend.on(SEND, slow.behaviour);
    const site = await start();
    const idempotencyKey = randomUUID();
    await postJson(site.url, SEND, { ...message(), idempotencyKey });
    expect((await stat(fileOf('waiting', idempotencyKey))).mode & 0o077).toBe(0);
    expect((await stat(path.join(dataDir, 'outbox', 'waiting'))).mode & 0o077).toBe(0);
    slow.release();
  });
});

describe('an outbox', () => {
  it('a full outbox answers 503 with the typed values until a message is delivered', async ({
    backend,
    dataDir,
    start,
    fileOf,
  }) => {
    backend.on(SEND, failing(503));
    // The short form of this test has a lower limit.
    const limit = inFull ? 10_000 : 100;
    const outbox = inFull ? {} : { maxWaiting: limit };
    await mkdir(path.join(dataDir, 'outbox', 'waiting'), { recursive: true });
    const keys = Array.from({ length: limit }, () => randomUUID());
    for (let index = 0; index < keys.length; index += 500) {
      const part = keys.slice(index, index + 500).map(key => {
        const letter = { key, receivedAt: new Date().toISOString(), message: message(`${key}@example.com`) };
        return writeFile(fileOf('waiting', key), JSON.stringify(letter));
      });
      await Promise.all(part);
    }
    const site = await start({ env: { LOG_LEVEL: 'warn' }, overrides: { outbox } });
    const answer = await postJson(site.url, SEND, message());
    expect(answer.status).toBe(503);
    expect(answer.json()).toEqual({ message: expect.stringContaining('Nothing you typed is lost') });
    // A message that already waits is accepted again, because it is stored.
    const known = { ...message(`${keys[0]}@example.com`), idempotencyKey: keys[0] };
    expect((await postJson(site.url, SEND, known)).status).toBe(202);
    expect(site.site.outbox.state.waiting).toBe(limit);
    expect(await ready(site)).toMatchObject({
      status: 'degraded',
      degraded: [{ reason: 'outbox', since: expect.any(String) }],
      outbox: { waiting: limit, dead: 0 },
    });
    const room = () => site.log.filter(({ code }) => /^outbox-room-/.test(`${code}`));
    const full = { level: 'error', code: 'outbox-room-down', waiting: limit, remedy: expect.any(String) };
    expect(room()).toMatchObject([full]);

    backend.on(SEND, {});
    await eventually(() => expect(site.site.outbox.state.waiting).toBeLessThan(limit));
    expect((await postJson(site.url, SEND, message())).status).toBe(202);
    await eventually(() => expect(room()).toMatchObject([full, { level: 'warn', code: 'outbox-room-up' }]));
    expect(await ready(site)).toMatchObject({ status: 'ready', degraded: [] });
  });

  it('an outbox reports its depth and the age of its oldest message', async ({ backend, start, leave }) => {
    backend.on(SEND, failing(500));
    await leave('waiting', 3_600_000);
    await leave('waiting', 60_000);
    await leave('dead', 60_000);
    const site = await start();
    await eventually(() => expect(site.site.outbox.state).toMatchObject({ waiting: 2, dead: 1 }));
    const { outbox } = await ready(site);
    expect(outbox).toEqual({ waiting: 2, dead: 1, oldestMs: expect.any(Number) });
    const text = await (await fetch(`${site.opsUrl}/metrics`)).text();
    const metric = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    expect(metric('site_outbox_waiting')).toBe(2);
    expect(metric('site_outbox_dead')).toBe(1);
    expect(metric('site_outbox_oldest_seconds')).toBeGreaterThanOrEqual(3_600);
    expect(metric('site_outbox_oldest_seconds')).toBeLessThan(7_200);
  });

  it('an outbox removes old dead letters, and drafts that a crash left behind', async ({
    dataDir,
    start,
    names,
    leave,
  }) => {
    const over = await leave('dead', 2 * DAY_MS + 60_000);
    const kept = await leave('dead', 2 * DAY_MS - 60_000);
    const old = new Date(Date.now() - 2 * DAY_MS);
    for (const folder of ['drafts', 'leases', 'delivered']) {
      await mkdir(path.join(dataDir, 'outbox', folder), { recursive: true });
      for (const name of ['old', 'new']) await writeFile(path.join(dataDir, 'outbox', folder, name), '');
      await utimes(path.join(dataDir, 'outbox', folder, 'old'), old, old);
    }
    const site = await start({ env: { DEAD_LETTER_DAYS: '2' } });
    await eventually(async () => expect(await names('dead')).toEqual([`${messageId(kept)}.json`]));
    await eventually(() => expect(site.site.outbox.state.dead).toBe(1));
    for (const folder of ['drafts', 'leases', 'delivered'])
      expect([folder, await names(folder)]).toEqual([folder, ['new']]);
    expect(messageId(over)).not.toBe(messageId(kept));
  });

  it('a stopped outbox delivers no more messages, and loses none', async ({
    backend,
    start,
    received,
    emails,
    names,
  }) => {
    const slow = heldAnswer({});
    backend.on(SEND, slow.behaviour);
    const site = await start();
    for (let count = 0; count < 6; count += 1) await postJson(site.url, SEND, message());
    await eventually(() => expect(slow.waiting()).toBe(4));
    const stopped = site.site.outbox.stop();
    slow.release();
    await stopped;
    expect(received()).toHaveLength(4);
    expect(await names('waiting')).toHaveLength(2);
    expect(await names('leases')).toEqual([]);
    await start();
    await eventually(() => expect(new Set(emails()).size).toBe(6));
    await eventually(async () => expect(await names('waiting')).toEqual([]));
    expect(received()).toHaveLength(6);
  });

  it('the stop of an outbox does not wait for a backend that hangs, and the next process delivers the message', async ({
    backend,
    start,
    received,
    names,
  }) => {
    const stuck = heldAnswer({});
    backend.on(SEND, stuck.behaviour);
    const site = await start();
    const sent = { ...message(), idempotencyKey: randomUUID() };
    expect((await postJson(site.url, SEND, sent)).status).toBe(202);
    await eventually(() => expect(stuck.waiting()).toBe(1));
    await site.site.outbox.stop();
    await eventually(() => expect(stuck.waiting()).toBe(0));
    expect(await names('waiting')).toHaveLength(1);
    backend.on(SEND, {});
    await start();
    await eventually(async () => expect(await names('waiting')).toEqual([]));
    expect(received().map(({ headers }) => headers['idempotency-key'])).toEqual([
      sent.idempotencyKey,
      sent.idempotencyKey,
    ]);
  });

  it('several processes may share an outbox, and one of them delivers each message', async ({
    backend,
    dataDir,
    emails,
    names,
    leave,
  }) => {
    const slow = heldAnswer({});
    backend.on(SEND, slow.behaviour);
    const keys = await Promise.all(Array.from({ length: 8 }, () => leave('waiting', 60_000)));
    const both = await Promise.all(
      [1, 2].map(() => startBuiltSite({ contentBaseUrl: backend.url, dataDir })),
    );
    try {
      // A process delivers four messages at a time. Eight calls mean that the two processes deliver different
      // messages.
      await eventually(() => expect(slow.waiting()).toBe(8));
      expect(new Set(emails()).size).toBe(8);
      slow.release();
      await eventually(async () => expect(await names('waiting')).toEqual([]));
      expect(emails().sort()).toEqual(keys.map(key => `${key}@example.com`).sort());
    } finally {
      await Promise.all(both.map(site => site.dispose()));
    }
  });
});
