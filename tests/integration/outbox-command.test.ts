import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { outboxTest as it, SEND } from '../support/outbox-test.ts';
import { DIST_DIR } from '../support/start-site.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('npm run outbox', () => {
  const run = async (dataDir: string, ...args: string[]) => {
    const command = [path.join(DIST_DIR, 'server/outbox.js'), ...args];
    // The image sets NODE_ENV. The command needs no backend there either.
    const env = { NODE_ENV: 'production', DATA_DIR: dataDir };
    try {
      const { stdout } = await promisify(execFile)(process.execPath, command, { env });
      return { code: 0, text: stdout };
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string };
      return { code, text: stderr };
    }
  };

  it('lists, shows and retries messages while no server runs', async ({ dataDir, start, emails, leave }) => {
    expect(await run(dataDir, 'list')).toEqual({ code: 0, text: '0 waiting, 0 dead\n' });
    // The command must not create the folders: the server's user could not write to them.
    expect(await readdir(dataDir)).toEqual([]);
    const dead = await leave('dead', 3 * DAY_MS);
    const waiting = await leave('waiting', 60_000);
    const list = await run(dataDir, 'list');
    expect(list.text).toMatch(new RegExp(`^${messageId(dead)} {2}dead .* subscribe received 2`, 'm'));
    expect(list.text).toMatch(new RegExp(`^${messageId(waiting)} {2}waiting .* subscribe received 2`, 'm'));
    expect(list.text).toContain('1 waiting, 1 dead\n');
    expect(list.text).not.toContain('@');
    const shown = await run(dataDir, 'show', messageId(dead).slice(0, 8));
    expect(JSON.parse(shown.text)).toMatchObject({
      state: 'dead',
      key: dead,
      message: { form: 'subscribe', email: `${dead}@example.com` },
    });
    expect(await run(dataDir, 'retry', messageId(dead))).toEqual({ code: 0, text: '1 to be tried anew\n' });
    expect((await run(dataDir, 'list')).text).toContain('2 waiting, 0 dead\n');
    await start();
    await eventually(() =>
      expect(emails().sort()).toEqual([`${dead}@example.com`, `${waiting}@example.com`].sort()),
    );
  });

  it('makes a running server retry waiting and dead messages', async ({
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
    backend.on(SEND, {});
    expect((await run(dataDir, 'retry')).text).toBe('2 to be tried anew\n');
    await eventually(() => expect(site.site.outbox.state).toMatchObject({ waiting: 0, dead: 0 }));
    expect(new Set(emails())).toEqual(new Set([`${dead}@example.com`, `${waiting}@example.com`]));
  });

  it.for([[], ['x'], ['show'], ['list', 'x'], ['retry', 'a', 'b']] as const)(
    'prints its usage: %j',
    async ([...args], { dataDir }) => {
      const { code, text } = await run(dataDir, ...(args as string[]));
      expect([code, text]).toEqual([2, expect.stringContaining('Usage: npm run outbox')]);
    },
  );

  it('names a message that is missing or unreadable', async ({ dataDir, leave }) => {
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
