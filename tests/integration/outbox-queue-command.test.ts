import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { message, SEND } from '../support/outbox-test.ts';
import { queueTest } from '../support/queue-test.ts';
import { postJson } from '../support/send-request.ts';
import { DIST_DIR } from '../support/start-site.ts';

const it = queueTest
  /** Runs the command with a data folder, and with the queue of the test. */
  .extend('run', async ({ redis }) => async (dataDir: string, ...args: string[]) => {
    const command = [path.join(DIST_DIR, 'server/outbox.js'), ...args];
    const env = { NODE_ENV: 'production', DATA_DIR: dataDir, OUTBOX_URL: redis.url };
    try {
      const { stdout } = await promisify(execFile)(process.execPath, command, { env });
      return { code: 0, text: stdout };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, text: stdout + stderr };
    }
  })
  /** A folder in which no site has run, as that of a machine beside the replicas. */
  .extend('elsewhere', async ({}, { onCleanup }) => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'elsewhere-'));
    onCleanup(() => rm(dir, { recursive: true }));
    return dir;
  });

describe('npm run outbox with a queue', () => {
  it('lists, shows and retries dead letters from any machine', async ({ backend, elsewhere, run, start }) => {
    backend.on(SEND, failing(400));
    const replicas = [await start(), await start()] as const;
    const post = { ...message(), idempotencyKey: randomUUID() };
    const id = messageId(post.idempotencyKey);
    for (const { url } of replicas) expect((await postJson(url, SEND, post)).status).toBe(202);
    for (const { site } of replicas)
      await eventually(() => expect(site.outbox.state).toMatchObject({ waiting: 0, dead: 1 }));
    const list = await run(elsewhere, 'list');
    expect(list.text).toMatch(
      new RegExp(`^${id} {2}another replica {2}subscribe received 2.*queue: dead, 1 `),
    );
    expect(list.text).toContain('queue outbox: 0 waiting, 0 active, 0 delayed, 1 dead, 0 delivered\n');
    expect(list.text).not.toContain('@');
    expect((await run(replicas[0].dataDir, 'list')).text).toMatch(new RegExp(`^${id} {2}dead .*queue: dead`));
    expect(JSON.parse((await run(elsewhere, 'show', id.slice(0, 8))).text)).toMatchObject({
      queue: 'dead',
      message: { email: post.email },
    });
    backend.on(SEND, {});
    expect(await run(elsewhere, 'retry', id)).toEqual({ code: 0, text: '1 to be tried anew\n' });
    // The dead letters on the disks of both replicas go when one of them has delivered the message.
    for (const { site } of replicas)
      await eventually(() => expect(site.outbox.state).toMatchObject({ waiting: 0, dead: 0 }));
    expect(backend.callsTo(SEND)).toHaveLength(2);
    expect((await run(elsewhere, 'list')).text).toContain('0 dead, 1 delivered\n');
  });

  it('erases a message from the queue and from the disks of all replicas', async ({
    backend,
    elsewhere,
    redis,
    run,
    start,
  }) => {
    backend.on(SEND, failing(503));
    const replicas = [await start(), await start()] as const;
    const post = { ...message(), idempotencyKey: randomUUID() };
    const id = messageId(post.idempotencyKey);
    for (const { url } of replicas) expect((await postJson(url, SEND, post)).status).toBe(202);
    await eventually(() => expect(backend.callsTo(SEND).length).toBeGreaterThan(0));
    expect(await run(elsewhere, 'erase', id)).toEqual({
      code: 0,
      text: `${id}  erased from queue\nThe other replicas remove it from their disks within a minute.\n`,
    });
    for (const { site, names } of replicas) {
      await eventually(() => expect(site.outbox.state).toMatchObject({ waiting: 0, dead: 0 }));
      expect([await names('waiting'), await names('dead')]).toEqual([[], []]);
    }
    expect(await redis.command('HGET', `site:outbox:${id}`, 'data')).toBe('{}');
    expect((await run(elsewhere, 'erase', randomUUID())).text).toContain('There is no message');
  });

  it('changes nothing while the queue cannot be reached', async ({ elsewhere, redis, run }) => {
    await redis.kill();
    for (const args of [['retry'], ['erase', 'abc']]) {
      const { code, text } = await run(elsewhere, ...args);
      expect([code, text]).toEqual([
        1,
        expect.stringMatching(/^Nothing was changed: .*Remedy: look whether/),
      ]);
    }
    const { code, text } = await run(elsewhere, 'list');
    expect([code, text]).toEqual([1, expect.stringMatching(/^0 waiting, 0 dead\nThese are .* this folder/)]);
  });
});
