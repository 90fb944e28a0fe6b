import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
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
  /** A folder that no site has used, such as on a machine without a replica. */
  .extend('elsewhere', async ({}, { onCleanup }) => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'elsewhere-'));
    onCleanup(() => rm(dir, { recursive: true }));
    return dir;
  });

describe('npm run outbox with a queue', () => {
  it('npm run outbox with a queue lists, shows and retries dead letters from any machine', async ({
    backend,
    elsewhere,
    run,
    start,
  }) => {
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
    expect(list.text).toContain(
      `\n0 waiting, 1 dead: 0 of the folder ${elsewhere}/outbox, 1 of other replicas alone\n`,
    );
    expect(list.text).toContain('queue outbox: 0 waiting, 0 active, 0 delayed, 1 dead, 0 delivered\n');
    expect(list.text).not.toContain('@');
    const here = (await run(replicas[0].dataDir, 'list')).text;
    expect(here).toMatch(new RegExp(`^${id} {2}dead .*queue: dead`));
    expect(here).toMatch(/^0 waiting, 1 dead: 1 of the folder .*, 0 of other replicas alone$/m);
    expect(JSON.parse((await run(elsewhere, 'show', id.slice(0, 8))).text)).toMatchObject({
      queue: 'dead',
      message: { email: post.email },
    });
    backend.on(SEND, {});
    expect(await run(elsewhere, 'retry', id)).toEqual({ code: 0, text: '1 to be tried anew\n' });
    // Both replicas remove the dead letter from disk after one of them has delivered the message.
    for (const { site } of replicas)
      await eventually(() => expect(site.outbox.state).toMatchObject({ waiting: 0, dead: 0 }));
    expect(backend.callsTo(SEND)).toHaveLength(2);
    expect((await run(elsewhere, 'list')).text).toContain('0 dead, 1 delivered\n');
  });

  it('npm run outbox with a queue erases a message from the queue and from the disks of all replicas', async ({
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

  it('npm run outbox with a queue changes nothing while the queue cannot be reached', async ({
    elsewhere,
    redis,
    run,
  }) => {
    await redis.kill();
    for (const args of [['retry'], ['erase', 'abc']]) {
      const { code, text } = await run(elsewhere, ...args);
      expect([code, text]).toEqual([
        1,
        expect.stringMatching(/^Nothing was changed: .*Remedy: look whether/),
      ]);
    }
    // The command reports a folder that no site has used, because "no message" would mislead.
    const { code, text } = await run(elsewhere, 'list');
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/^No site has run with the folder .*\nthe queue cannot be reached \(connect /),
    ]);
    await mkdir(path.join(elsewhere, 'outbox'));
    const list = await run(elsewhere, 'list');
    expect([list.code, list.text]).toEqual([
      1,
      expect.stringMatching(/^0 waiting, 0 dead in the folder .*\nThese are .* of this folder alone: /),
    ]);
  });

  it('npm run outbox refuses a queue that no site has used, and writes nothing to it', async ({
    backend,
    redis,
    run,
    start,
  }) => {
    backend.on(SEND, failing(503));
    const { dataDir, url, names, site } = await start({ env: { OUTBOX_QUEUE: 'outbox-www.example.com' } });
    expect((await postJson(url, SEND, { ...message(), idempotencyKey: randomUUID() })).status).toBe(202);
    await eventually(() => expect(site.outbox.state.waiting).toBe(1));
    const [file = ''] = await names('waiting');
    const refused =
      /no site has used the queue outbox\. Remedy: give this command the PUBLIC_URL of the site/;
    for (const args of [['retry'], ['erase', file.slice(0, 8)], ['retry']]) {
      const { code, text } = await run(dataDir, ...args);
      expect([code, text]).toEqual([1, expect.stringMatching(/^Nothing was changed: no site has used/)]);
    }
    const list = await run(dataDir, 'list');
    expect([list.code, list.text]).toEqual([1, expect.stringMatching(refused)]);
    expect(list.text).toMatch(/^1 waiting, 0 dead in the folder /m);
    expect(await redis.command('KEYS', 'site:outbox:*')).toEqual([]);
    expect(await names('waiting')).toEqual([file]);
  });

  it('npm run outbox accepts the queue of a running site after its server was flushed', async ({
    elsewhere,
    redis,
    run,
    start,
  }) => {
    await start();
    await redis.command('FLUSHALL');
    expect(await run(elsewhere, 'retry')).toEqual({ code: 0, text: '0 to be tried anew\n' });
  });
});
