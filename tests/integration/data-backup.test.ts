import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { NODE_FLAGS } from '../../server/ops/process/memory.ts';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { COMMAND, contentsOf, dataTest as it, runData } from '../support/data-test.ts';
import { eventually } from '../support/eventually.ts';
import { failing, sendJson } from '../support/fake-backend.ts';
import { message, SEND } from '../support/outbox-test.ts';
import { postJson } from '../support/send-request.ts';

const DAY_MS = 24 * 3_600_000;
const KILL_AT_STEP = path.resolve(import.meta.dirname, '../faults/kill-at-step.ts');
/** More steps than a restore of the messages below has. */
const MOST_STEPS = 400;
/** Does not divide the number of steps of a call, so kills come before and after calls of each kind. */
const STRIDE = 7;

describe('npm run data -- backup and restore', () => {
  it('a backup under load has every message that was acknowledged before it began', async ({
    backend,
    dataDir,
    elsewhere,
    built,
    received,
    emails,
  }) => {
    // Some messages wait, some become dead letters and some are delivered while the backup is taken.
    let calls = 0;
    backend.on(SEND, (_, res) => {
      calls += 1;
      sendJson(res, [200, 400, 500][calls % 3] ?? 200, {});
    });
    const site = await built(dataDir);
    const acknowledged = new Set<string>();
    let isSending = true;
    const sender = async () => {
      while (isSending) {
        const idempotencyKey = randomUUID();
        const answer = await postJson(site.url, '/api/email/send', { ...message(), idempotencyKey });
        if (answer.status === 202) acknowledged.add(messageId(idempotencyKey));
      }
    };
    const senders = [sender(), sender(), sender()];
    await eventually(() => expect(acknowledged.size).toBeGreaterThan(60));
    const before = [...acknowledged];
    const file = path.join(dataDir, 'backup');
    const backup = await runData(dataDir, 'backup', file);
    const during = acknowledged.size - before.length;
    isSending = false;
    await Promise.all(senders);
    expect(backup).toMatchObject({ code: 0, text: expect.stringContaining(' messages, ') });
    expect(during).toBeGreaterThan(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await site.end('SIGTERM');

    expect(await runData(elsewhere, 'restore', file)).toMatchObject({ code: 0 });
    const names = [...(await contentsOf(elsewhere)).keys()].filter(name => name.startsWith('outbox/'));
    const ids = names.map(name => path.basename(name, '.json'));
    expect(before.filter(id => !ids.includes(id))).toEqual([]);
    const queued = names.filter(name => /\/(?:waiting|dead)\//.test(name)).map(name => path.basename(name));
    expect(new Set(queued).size).toBe(queued.length);
    expect(await runData(elsewhere, 'check')).toMatchObject({ code: 0 });

    // The other machine delivers no message a second time.
    const sent = received().length;
    backend.on(SEND, {});
    await built(elsewhere);
    const isMarked = (name: string) => names.includes(`outbox/delivered/${path.basename(name, '.json')}`);
    const due = names.filter(name => name.startsWith('outbox/waiting/') && !isMarked(name)).length;
    expect((await runData(elsewhere, 'retry')).code).toBe(0);
    await eventually(async () =>
      expect((await runData(elsewhere, 'list')).text).toContain('0 waiting, 0 dead'),
    );
    const again = emails().slice(sent);
    expect(again.length).toBeGreaterThanOrEqual(due);
    expect(new Set(again).size).toBe(again.length);
  });

  it('a backup that cannot be written reports this, and leaves no partial file', async ({
    dataDir,
    elsewhere,
    leave,
  }) => {
    for (let left = 0; left < 50; left += 1)
      await leave('dead', DAY_MS, randomBytes(2_000).toString('base64'));
    await mkdir(elsewhere);
    const file = path.join(elsewhere, 'backup');
    // A limit on the file size replaces a full disk, because mounting one needs special permissions.
    const limited = ['-c', 'ulimit -f 64; exec "$@"', 'sh', process.execPath, COMMAND, 'backup', file];
    const command = spawn('sh', limited, { env: { NODE_ENV: 'production', DATA_DIR: dataDir } });
    const [complaint, [code]] = await Promise.all([readText(command.stderr), once(command, 'close')]);
    expect([code, complaint]).toEqual([
      1,
      expect.stringMatching(/^EFBIG: .*: the backup was not written\n$/),
    ]);
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it('a restore that is killed at any step and repeated neither loses nor duplicates a message', async ({
    dataDir,
    elsewhere,
    leave,
  }) => {
    for (const folder of ['waiting', 'waiting', 'dead'] as const) await leave(folder, DAY_MS);
    for (const folder of ['delivered', 'recipients']) await mkdir(path.join(dataDir, 'outbox', folder));
    // The site of the backup ran until just now.
    await writeFile(path.join(dataDir, 'outbox/alive'), '');
    await writeFile(path.join(dataDir, 'outbox/delivered', messageId('delivered')), '');
    await symlink(messageId('delivered'), path.join(dataDir, 'outbox/recipients/digest.0'));
    await mkdir(path.join(dataDir, 'mail'));
    await writeFile(path.join(dataDir, 'mail', `${messageId('mail')}01234567.json`), '{}');
    const whole = await contentsOf(dataDir);
    const file = path.join(path.dirname(elsewhere), 'backup');
    expect(await runData(dataDir, 'backup', file)).toMatchObject({ code: 0 });

    const kills = { draft: 0, ready: 0 };
    for (let step = 1; step < MOST_STEPS; step += STRIDE) {
      const target = path.join(path.dirname(elsewhere), `at-${step}`);
      // A site without messages has run there, so that files are moved one by one.
      for (const folder of ['waiting', 'dead', 'delivered'])
        await mkdir(path.join(target, 'outbox', folder), { recursive: true });
      const command = [...NODE_FLAGS, '--import', KILL_AT_STEP, COMMAND, 'restore', file];
      const env = { DATA_DIR: target, KILL_AT_STEP: String(step) };
      const child = spawn(process.execPath, command, { env, stdio: 'ignore' });
      const [code, signal] = await once(child, 'exit');
      const names = [...(await contentsOf(target)).keys()];
      if (names.some(name => name.startsWith('restore.part'))) kills.draft += 1;
      if (names.some(name => name.startsWith('restore.ready'))) {
        kills.ready += 1;
        expect(await runData(target, 'erase', 'a')).toMatchObject({
          code: 1,
          text: /A restore was interrupted/,
        });
      }
      if (signal === null) {
        expect(code).toBe(0);
        break;
      }
      const isWhole = names.length === whole.size && !names.some(name => name.startsWith('restore.'));
      if (!isWhole) expect(await runData(target, 'restore', file)).toMatchObject({ code: 0 });
      expect(await contentsOf(target)).toEqual(whole);
    }
    expect(kills.draft).toBeGreaterThan(2);
    expect(kills.ready).toBeGreaterThan(2);
  });

  it('a restore refuses a folder with messages, and one in which a site runs', async ({
    backend,
    dataDir,
    elsewhere,
    built,
    leave,
  }) => {
    backend.on(SEND, failing(500));
    await leave('dead', DAY_MS);
    const file = path.join(dataDir, 'backup');
    await runData(dataDir, 'backup', file);
    const before = await contentsOf(dataDir);
    expect(await runData(dataDir, 'restore', file)).toEqual({
      code: 1,
      text: `The folder ${dataDir} has messages: restore into another folder\n`,
    });
    expect(await contentsOf(dataDir)).toEqual(before);
    await built(elsewhere);
    expect(await runData(elsewhere, 'restore', file)).toEqual({
      code: 1,
      text: `A site runs with the folder ${elsewhere}: stop it, and wait for 15 s\n`,
    });
    expect((await runData(elsewhere, 'list')).text).toContain('0 waiting, 0 dead');
  });

  it.for(['cut off', 'changed', 'of another kind', 'missing'])(
    'a restore of a backup that is %s changes nothing',
    async (kind, { dataDir, elsewhere, leave }) => {
      await leave('dead', DAY_MS);
      const file = path.join(dataDir, 'backup');
      await runData(dataDir, 'backup', file);
      const bytes = await readFile(file);
      if (kind === 'cut off') await writeFile(file, bytes.subarray(0, -20));
      if (kind === 'changed')
        await writeFile(file, bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 4));
      if (kind === 'of another kind') await writeFile(file, 'a text');
      const { code, text } = await runData(elsewhere, 'restore', kind === 'missing' ? `${file}.x` : file);
      expect([code, text]).toEqual([
        1,
        expect.stringMatching(/no whole backup: nothing was restored|ENOENT/),
      ]);
      expect((await contentsOf(elsewhere)).size).toBe(0);
    },
  );

  it('a backup with --all has the stored content and pages, and a site serves them without the CMS', async ({
    backend,
    dataDir,
    elsewhere,
    built,
  }) => {
    const first = await built(dataDir);
    expect((await fetch(`${first.url}/blog`)).status).toBe(200);
    await first.end('SIGTERM');
    const file = path.join(dataDir, 'backup');
    expect(await runData(dataDir, 'backup', '--all', file)).toMatchObject({ code: 0 });
    expect(await runData(elsewhere, 'restore', file)).toMatchObject({ code: 0 });
    await backend.close();
    const second = await built(elsewhere);
    expect((await fetch(`${second.url}/blog`)).status).toBe(200);
  });
});
