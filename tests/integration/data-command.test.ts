import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { contentsOf, dataTest as it, runData } from '../support/data-test.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { some } from '../support/in-full.ts';
import { SEND } from '../support/outbox-test.ts';
import { postJson } from '../support/send-request.ts';

const DAY_MS = 24 * 3_600_000;
const DISK = String.raw`disk: \d+ of \d+ bytes are free`;
const RECORD = /^backends\/[^/]+\/(pages|content)\/.*[\da-f]{64}$/;

describe('npm run data', () => {
  it('npm run data -- check lists each damaged file, and exits with 1', async ({ dataDir, built, leave }) => {
    const site = await built(dataDir);
    expect((await fetch(`${site.url}/blog`)).status).toBe(200);
    await site.end('SIGTERM');
    const sound = await runData(dataDir, 'check');
    expect(sound).toEqual({ code: 0, text: expect.stringMatching(/^\d+ files read, 0 damaged; \d+ files/) });
    const names = [...(await contentsOf(dataDir)).keys()];
    const damaged = ['pages', 'content'].map(
      kind => names.find(name => RECORD.exec(name)?.[1] === kind) ?? '',
    );
    for (const name of damaged) {
      const bytes = await readFile(path.join(dataDir, name));
      bytes[5] = (bytes[5] ?? 0) ^ 1;
      await writeFile(path.join(dataDir, name), bytes);
    }
    const cut = await leave('waiting', DAY_MS, '{"key": "secret words');
    damaged.push(`outbox/waiting/${messageId(cut)}.json`);
    const state = names.find(name => /^backends\/[^/]+\/totals\..*json$/.test(name)) ?? '';
    await writeFile(path.join(dataDir, state), '{');
    damaged.push(state);
    const { code, text } = await runData(dataDir, 'check');
    const named = text.split('\n').flatMap(line => /^damaged {2}([^:]+): /.exec(line)?.[1] ?? []);
    expect([code, named.sort()]).toEqual([1, damaged.sort()]);
    expect(text).toContain(', 4 damaged; ');
    expect(text).not.toContain('secret');
  });

  it('npm run data -- show prints sizes by kind, and the free space', async ({ dataDir, leave }) => {
    await leave('waiting', DAY_MS);
    await leave('waiting', 2 * DAY_MS);
    const { code, text } = await runData(dataDir, 'show');
    const day = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^ +2 files +\\d+ bytes {2}oldest ${day}T\\S+ {2}outbox/waiting\n${DISK}\n$`),
      ),
    ]);
  });

  it('npm run data -- erase --email leaves no byte of an address’s messages in the folder', async ({
    backend,
    dataDir,
    built,
    leave,
  }) => {
    backend.on(SEND, failing(500));
    const site = await built(dataDir);
    const post = (fields: object) =>
      postJson(site.url, '/api/email/send', { form: 'contact', name: 'Ada', topic: 'Fees', ...fields });
    // Messages with the address as sender, in a text after a line break, and as a part of another address.
    const posts = [
      { email: 'Ada@Example.com', message: 'lovelace-one' },
      { email: 'bob@example.com', message: 'My colleague is\nada@example.com. lovelace-two' },
      { email: 'wada@example.com', message: 'kept-one' },
      { email: 'ada@example.com.au', message: 'kept-two' },
    ];
    for (const fields of posts) expect((await post(fields)).status).toBe(202);
    const of = (words: string) =>
      JSON.stringify({
        key: words,
        receivedAt: new Date().toISOString(),
        message: { email: 'ada@example.com', words },
      });
    await leave('dead', DAY_MS, of('lovelace-three'));
    await writeFile(
      path.join(dataDir, 'outbox/drafts', `${messageId('d')}.json.1.part`),
      of('lovelace-four'),
    );
    await mkdir(path.join(dataDir, 'mail'), { recursive: true });
    await writeFile(path.join(dataDir, 'mail', `${messageId('m')}01234567.json`), of('lovelace-five'));
    const bytes = async () => [...(await contentsOf(dataDir))].flat().join('\n');
    for (const number of ['one', 'two', 'three', 'four', 'five'])
      expect(await bytes()).toContain(`lovelace-${number}`);

    const erased = await runData(dataDir, 'erase', '--email', 'ada@example.com');
    expect(erased).toMatchObject({ code: 0, text: expect.stringMatching(/\n5 erased\n$/) });
    // The running site may be in the middle of an attempt.
    await eventually(async () => expect(await bytes()).not.toContain('lovelace'));
    expect(await bytes()).toContain('kept-one');
    expect(await bytes()).toContain('kept-two');
    await site.end('SIGTERM');
    expect(await bytes()).not.toContain('lovelace');
    expect(await runData(dataDir, 'erase', '--email', 'ada@example.com')).toEqual({
      code: 1,
      text: 'There is no message with this address\n',
    });
  });

  it.for(['pages', 'content'] as const)(
    'npm run data -- drop %s removes only these records, and a running site keeps working',
    async (kind, { dataDir, built, leave }) => {
      await leave('dead', DAY_MS);
      const site = await built(dataDir);
      expect((await fetch(`${site.url}/blog`)).status).toBe(200);
      const kinds = async () =>
        [...(await contentsOf(dataDir)).keys()].flatMap(name => RECORD.exec(name)?.[1] ?? []);
      await eventually(async () => expect(new Set(await kinds())).toEqual(new Set(['pages', 'content'])));
      const dropped = await runData(dataDir, 'drop', kind);
      expect(dropped.text).toMatch(/^[1-9]\d* records removed.*The running site still has/s);
      const other = kind === 'pages' ? 'content' : 'pages';
      expect(await kinds()).toContain(other);
      expect((await fetch(`${site.url}/blog`)).status).toBe(200);
      expect((await runData(dataDir, 'list')).text).toContain('0 waiting, 1 dead');
      const codes = site.lines().map(({ code }) => code);
      expect(codes).not.toContain('disk-folder-recreated');
      await site.end('SIGTERM');
      const next = await built(dataDir);
      expect((await fetch(`${next.url}/blog`)).status).toBe(200);
    },
  );

  it('npm run data reports a folder that no site has used', async ({ elsewhere }) => {
    for (const args of [['check'], ['show'], ['backup', 'x'], ['drop', 'pages']])
      expect(await runData(elsewhere, ...args)).toEqual({
        code: 1,
        text: `No site has run with the folder ${elsewhere}: set DATA_DIR to its data folder\n`,
      });
  });

  const misused = [
    ...[[], ['x'], ['constructor'], ['check', 'x'], ['backup'], ['backup', 'x', 'y'], ['restore']],
    ...[
      ['drop'],
      ['drop', 'media'],
      ['erase'],
      ['erase', '--email'],
      ['erase', '--email', 'x'],
      ['erase', 'a', 'b'],
    ],
  ];

  it.for(some<readonly string[]>(misused, 3))(
    'npm run data prints its usage for wrong arguments: %j',
    async ([...args], { dataDir }) => {
      const { code, text } = await runData(dataDir, ...args);
      expect([code, text]).toEqual([2, expect.stringContaining('Usage: npm run data')]);
    },
  );
});
