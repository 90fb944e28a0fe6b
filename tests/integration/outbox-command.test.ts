import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { some } from '../support/in-full.ts';
import { outboxTest as it, SEND } from '../support/outbox-test.ts';
import { DIST_DIR } from '../support/start-site.ts';

/** A user other than the superuser. */
const NOBODY = 65_534;
const DAY_MS = 24 * 60 * 60 * 1_000;

describe('npm run outbox', () => {
  const run = async (dataDir: string, ...args: string[]) => {
    const command = [path.join(DIST_DIR, 'server/outbox.js'), ...args];
    // The image sets NODE_ENV to `production`. Even there the command needs no backend.
    const env = { NODE_ENV: 'production', DATA_DIR: dataDir };
    try {
      const { stdout } = await promisify(execFile)(process.execPath, command, { env });
      return { code: 0, text: stdout };
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string };
      return { code, text: stderr };
    }
  };

  it('npm run outbox lists, shows and retries messages while no server runs', async ({
    dataDir,
    start,
    emails,
    leave,
  }) => {
    await mkdir(path.join(dataDir, 'outbox'));
    expect(await run(dataDir, 'list')).toEqual({
      code: 0,
      text: `0 waiting, 0 dead in the folder ${dataDir}/outbox\n`,
    });
    // The command must not create the folders: the server's user could not write to them.
    expect(await readdir(path.join(dataDir, 'outbox'))).toEqual([]);
    const dead = await leave('dead', 3 * DAY_MS);
    const waiting = await leave('waiting', 60_000);
    const list = await run(dataDir, 'list');
    expect(list.text).toMatch(new RegExp(`^${messageId(dead)} {2}dead .* subscribe received 2`, 'm'));
    expect(list.text).toMatch(new RegExp(`^${messageId(waiting)} {2}waiting .* subscribe received 2`, 'm'));
    expect(list.text).toContain('\n1 waiting, 1 dead in the folder ');
    expect(list.text).not.toContain('@');
    const shown = await run(dataDir, 'show', messageId(dead).slice(0, 8));
    expect(JSON.parse(shown.text)).toMatchObject({
      state: 'dead',
      key: dead,
      message: { form: 'subscribe', email: `${dead}@example.com` },
    });
    expect(await run(dataDir, 'retry', messageId(dead))).toEqual({ code: 0, text: '1 to be tried anew\n' });
    expect((await run(dataDir, 'list')).text).toContain('\n2 waiting, 0 dead in the folder ');
    await start();
    await eventually(() =>
      expect(emails().sort()).toEqual([`${dead}@example.com`, `${waiting}@example.com`].sort()),
    );
  });

  it('npm run outbox reports a folder that no site has used, and does not call it empty', async ({
    dataDir,
  }) => {
    for (const [command = '', ...rest] of [['list'], ['retry'], ['erase', 'abc']])
      expect(await run(dataDir, command, ...rest)).toEqual({
        code: 1,
        text: `No site has run with the folder ${dataDir}: set DATA_DIR to its data folder\n`,
      });
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('npm run outbox names the user to run it as, if the outbox belongs to another user', async ({
    dataDir,
  }) => {
    await mkdir(path.join(dataDir, 'outbox'), { mode: 0o700 });
    // Run the command as another user if this one is the superuser, who may read everything.
    const isRoot = process.getuid?.() === 0;
    if (!isRoot) await chmod(dataDir, 0o000);
    const command = [path.join(DIST_DIR, 'server/outbox.js'), 'list'];
    const options = { env: { DATA_DIR: dataDir }, ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}) };
    const failure = await promisify(execFile)(process.execPath, command, options).catch(error => error);
    if (!isRoot) await chmod(dataDir, 0o700);
    expect([failure.code, failure.stderr]).toEqual([
      1,
      expect.stringMatching(/^EACCES: .*: run the command as the user of the site\n$/),
    ]);
  });

  it('npm run outbox makes a running server retry waiting and dead messages', async ({
    backend,
    dataDir,
    start,
    received,
    emails,
    leave,
  }) => {
    backend.on(SEND, failing(500));
    const [dead, waiting] = [await leave('dead', DAY_MS), await leave('waiting', DAY_MS / 2)];
    const site = await start();
    await eventually(() => expect(received().length).toBeGreaterThan(0));
    expect((await run(dataDir, 'retry')).text).toBe('2 to be tried anew\n');
    backend.on(SEND, {});
    await eventually(() => expect(site.site.outbox.state).toMatchObject({ waiting: 0, dead: 0 }));
    expect(new Set(emails())).toEqual(new Set([`${dead}@example.com`, `${waiting}@example.com`]));
  });

  it('npm run outbox erases one message with all its traces, and no other message', async ({
    dataDir,
    start,
    emails,
    leave,
    names,
  }) => {
    const [dead, waiting, other] = [
      await leave('dead', DAY_MS),
      await leave('waiting', 60_000),
      await leave('waiting', 60_000),
    ];
    const id = messageId(waiting);
    for (const [folder, name] of [
      ['drafts', `${id}.json.1.part`],
      ['leases', id],
      ['delivered', messageId(dead)],
      ['delivered', messageId(other)],
    ] as const) {
      await mkdir(path.join(dataDir, 'outbox', folder), { recursive: true });
      await writeFile(path.join(dataDir, 'outbox', folder, name), '');
    }
    expect(await run(dataDir, 'erase', id)).toEqual({
      code: 0,
      text: `${id}  erased from drafts, waiting, leases\nA delivery was under way, so the CMS may have the message: look for it there.\n`,
    });
    expect((await run(dataDir, 'erase', messageId(dead).slice(0, 10))).text).toBe(
      `${messageId(dead)}  erased from dead, delivered\nThe message had been delivered: erase it in the CMS, too.\n`,
    );
    const left = await Promise.all(
      ['drafts', 'waiting', 'dead', 'leases', 'delivered'].map(folder => names(folder).catch(() => [])),
    );
    expect(left.flat()).toEqual([`${messageId(other)}.json`, messageId(other)]);
    expect(await run(dataDir, 'erase', id)).toEqual({ code: 1, text: `There is no message ${id}\n` });
    // `delivered/` records the last message as delivered, so a server only removes its message file.
    const { site } = await start();
    await eventually(() => expect(site.outbox.state).toMatchObject({ waiting: 0, dead: 0 }));
    expect(emails()).toEqual([]);
  });

  it('npm run outbox erases a message that a running server tries to deliver', async ({
    backend,
    dataDir,
    start,
    received,
    leave,
  }) => {
    backend.on(SEND, failing(500));
    const waiting = await leave('waiting', 60_000);
    const { site } = await start();
    await eventually(() => expect(received().length).toBeGreaterThan(0));
    expect((await run(dataDir, 'erase', messageId(waiting))).text).toContain('erased from waiting');
    await eventually(() => expect(site.outbox.state).toMatchObject({ waiting: 0, dead: 0 }));
  });

  it('npm run outbox erases a message that the embedded backend has received', async ({ dataDir }) => {
    const backend = await startEmbeddedBackend({
      contentDir: FIXTURE_CONTENT,
      mailDir: path.join(dataDir, 'mail'),
    });
    const keys = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    for (const key of keys)
      await fetch(`${backend.url}${SEND}`, {
        method: 'POST',
        body: '{"email":"a@example.com"}',
        headers: { 'Idempotency-Key': key },
      });
    await backend.close();
    const id = messageId(keys[0] ?? '');
    expect(await run(dataDir, 'erase', id)).toEqual({ code: 0, text: `${id}  erased from mail\n` });
    const left = await readdir(path.join(dataDir, 'mail'));
    expect(left.map(name => name.slice(0, 32))).toEqual([messageId(keys[1] ?? '')]);
  });

  const misused = [[], ['x'], ['erase'], ['list', 'x'], ['retry', 'a', 'b']] as const;

  it.for(some<readonly string[]>(misused, 2))(
    'npm run outbox prints its usage for wrong arguments: %j',
    async ([...args], { dataDir }) => {
      const { code, text } = await run(dataDir, ...args);
      expect([code, text]).toEqual([2, expect.stringContaining('Usage: npm run data')]);
    },
  );

  it('npm run outbox reports a message that is missing or unreadable', async ({ dataDir, leave }) => {
    await mkdir(path.join(dataDir, 'outbox'));
    expect(await run(dataDir, 'show', 'abc')).toEqual({ code: 1, text: 'There is no message abc\n' });
    const id = messageId(await leave('dead', 1_000, 'secret words, broken off'));
    expect((await run(dataDir, 'list')).text).toMatch(new RegExp(`^${id} {2}dead .* cannot be read$`, 'm'));
    const { code, text } = await run(dataDir, 'show', id);
    expect([code, text]).toEqual([
      0,
      'The message cannot be read: UnreadableMessageError: The file holds no message\n',
    ]);
  });
});
