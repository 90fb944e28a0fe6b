import { lstat, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sweepMail } from '../../server/embedded-cms/mail-folder.ts';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { eventually } from '../support/eventually.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

const it = test
  .extend('mailDir', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'mail-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return folder;
  })
  /** Creates a file with the given age in the folder. */
  .extend('leave', async ({ mailDir }) => async (name: string, ageDays: number) => {
    const time = new Date(Date.now() - ageDays * DAY_MS);
    await writeFile(path.join(mailDir, name), '{}');
    await utimes(path.join(mailDir, name), time, time);
  })
  .extend('messages', async ({ mailDir }) => async () => {
    return (await readdir(mailDir)).filter(name => name.endsWith('.json')).sort();
  });

const ofToday = { now: Date.now(), upMs: 0 };

describe('the messages of the embedded backend', () => {
  it('messages of the embedded backend are deleted after their time, beginning at the start', async ({
    mailDir,
    leave,
    messages,
  }) => {
    await leave('.last-sweep', 1);
    await leave('old.json', 31);
    await leave('young.json', 29);
    const backend = await startEmbeddedBackend({ contentDir: FIXTURE_CONTENT, mailDir, mailDays: 30 });
    await eventually(async () => expect(await messages()).toEqual(['young.json']));
    await eventually(async () => {
      expect(Date.now() - (await lstat(path.join(mailDir, '.last-sweep'))).mtimeMs).toBeLessThan(DAY_MS);
    });
    await backend.close();
  });

  it('messages of an earlier release survive the first sweep', async ({ mailDir, leave, messages }) => {
    await leave('old.json', 400);
    expect(await sweepMail(mailDir, 30, ofToday)).toBe(0);
    expect(await sweepMail(mailDir, 30, ofToday)).toBe(1);
    expect(await messages()).toEqual([]);
  });

  it('messages survive a clock that jumps by 120 days for at least a day', async ({
    mailDir,
    leave,
    messages,
  }) => {
    await leave('.last-sweep', 0);
    await leave('new.json', 0);
    const jumped = Date.now() + 120 * DAY_MS;
    for (const upMs of [0, DAY_MS - 1]) expect(await sweepMail(mailDir, 30, { now: jumped, upMs })).toBe(0);
    expect(await sweepMail(mailDir, 30, ofToday)).toBe(0);
    expect(await sweepMail(mailDir, 30, { now: jumped, upMs: 0 })).toBe(0);
    expect(await messages()).toEqual(['new.json']);
    // The site was stopped for 120 days.
    expect(await sweepMail(mailDir, 30, { now: jumped, upMs: DAY_MS })).toBe(1);
  });

  it('messages of the embedded backend survive a clock that goes back', async ({ mailDir, leave }) => {
    await leave('.last-sweep', 0);
    await leave('new.json', 0);
    expect(await sweepMail(mailDir, 30, { now: Date.now() - 400 * DAY_MS, upMs: 0 })).toBe(0);
  });

  it('a missing mail folder is no error, and other files in it stay', async ({ mailDir, leave }) => {
    expect(await sweepMail(path.join(mailDir, 'none'), 30, ofToday)).toBe(0);
    await leave('.last-sweep', 1);
    await leave('notes.txt', 400);
    await mkdir(path.join(mailDir, 'folder.d'));
    expect(await sweepMail(mailDir, 30, ofToday)).toBe(0);
    expect((await readdir(mailDir)).sort()).toEqual(['.last-sweep', 'folder.d', 'notes.txt']);
  });
});
