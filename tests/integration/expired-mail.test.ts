import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { outboxTest } from '../support/outbox-test.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

const it = outboxTest
  .extend('mailDir', async ({ dataDir }) => {
    const folder = path.join(dataDir, 'mail');
    await mkdir(folder);
    return folder;
  })
  /** Creates a file of the data folder with the given age. */
  .extend('leaveFile', async ({ dataDir }) => async (name: string, ageDays: number) => {
    const file = path.join(dataDir, name);
    const time = new Date(Date.now() - ageDays * DAY_MS);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '{}');
    await utimes(file, time, time);
  })
  .extend(
    'mail',
    async ({ mailDir }) =>
      async () =>
        (await readdir(mailDir)).sort(),
  );

describe('the messages of the embedded backend', () => {
  it('messages of the embedded backend are deleted after their time, and other files stay', async ({
    leaveFile,
    mail,
    mailDir,
    start,
  }) => {
    for (const [name, days] of [
      ['old.json', 31],
      ['young.json', 29],
      ['notes.txt', 400],
    ] as const)
      await leaveFile(`mail/${name}`, days);
    await mkdir(path.join(mailDir, 'folder.json'));
    const old = new Date(0);
    await utimes(path.join(mailDir, 'folder.json'), old, old);
    await start({ env: { MAIL_DAYS: '30' } });
    await eventually(async () => expect(await mail()).toEqual(['folder.json', 'notes.txt', 'young.json']));
  });

  it('messages survive a clock that jumps by 120 days, and a site that was down so long', async ({
    leaveFile,
    mail,
    start,
  }) => {
    await leaveFile('mail/new.json', 121);
    await leaveFile('mail/old.json', 151);
    await leaveFile('outbox/alive', 120);
    await start({ env: { MAIL_DAYS: '30' } });
    await eventually(async () => expect(await mail()).toEqual(['new.json']));
  });
});
