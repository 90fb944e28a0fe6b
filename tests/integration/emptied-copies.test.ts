import { readdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { backendDirOf } from '../support/backend-dir.ts';
import { getPage, statesOf, statusesOf } from '../support/content-answers.ts';
import {
  emptyAll,
  isStatus,
  emptiedTest as it,
  KNOWN_PAGES,
  noticed,
  pageOf,
  post,
  removeArticles,
  setArticles,
} from '../support/emptied-test.ts';
import { eventually } from '../support/eventually.ts';
import { processFiles } from '../support/process-files.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAYS_120_MS = 120 * 24 * HOUR_MS;

/** Sets the age of a file. */
async function age(file: string, ms: number): Promise<void> {
  const time = (Date.now() - ms) / 1_000;
  await utimes(file, time, time);
}

describe('copies of removed content', () => {
  it('copies of removed content are deleted once processes have run for a day; the time between processes does not count', async ({
    cms,
    dataDir,
    startKnowing,
  }) => {
    const first = await startKnowing();
    const content = path.join(await backendDirOf(dataDir), 'content');
    const copies = async () =>
      (await readdir(content, { recursive: true, withFileTypes: true }))
        .filter(entry => entry.isFile() && path.basename(entry.parentPath) === 'removed')
        .map(entry => path.join(entry.parentPath, entry.name));
    for (const [number, left] of [
      [1, 1],
      [2, 2],
    ] as const) {
      removeArticles(cms, ({ id }) => id === 1_000 + number);
      await isStatus(first, pageOf(number), 404);
      await eventually(async () => expect((await copies()).length).toBeGreaterThanOrEqual(left));
    }
    await first.close();
    const all = await copies();
    const [old = '', ...others] = all;
    await age(old, 25 * HOUR_MS);
    for (const file of others) await age(file, 23 * HOUR_MS);

    const second = await startKnowing({}, []);
    await second.close();
    expect(await copies()).not.toContain(old);
    expect(await copies()).toEqual(expect.arrayContaining(others));

    for (const file of others) await age(file, DAYS_120_MS + 23 * HOUR_MS);
    await age(path.join(path.dirname(content), 'backend.json'), DAYS_120_MS);
    const third = await startKnowing({}, []);
    const kept = await copies();
    expect(kept).toEqual(expect.arrayContaining(others));
    expect((await post(third, 'restore=articles')).json()).toEqual({ restored: kept.length });
  });
});

describe('content that was not removed', () => {
  it('content that was never removed is not restored, and an accepted loss remains accepted', async ({
    cms,
    dataDir,
    startKnowing,
  }) => {
    const site = await startKnowing();
    setArticles(cms, 0);
    await noticed(site, 'articles', '/blog');
    await post(site, 'accept=articles');
    await isStatus(site, pageOf(1), 404);
    await site.site.settled();
    const content = path.join(await backendDirOf(dataDir), 'content');
    for (const version of await readdir(content))
      await rm(path.join(content, version, 'removed'), { recursive: true, force: true });
    const answer = await post(site, 'restore=articles');
    expect([answer.status, answer.json()]).toEqual([
      409,
      { error: "Nothing of 'articles' was removed within a day" },
    ]);
    expect(site.log.filter(({ code }) => code === 'content-restored')).toEqual([]);
    await getPage(site, '/blog');
    expect(await statesOf(site)).toEqual({});
  });
});

describe('a data folder without recorded numbers of entries, such as that of an earlier release', () => {
  it('without recorded numbers of entries, an emptied CMS removes nothing at the first start', async ({
    cms,
    dataDir,
    startKnowing,
  }) => {
    // Types of five entries or more are protected. This type has six.
    const first = await startKnowing({}, [...KNOWN_PAGES, pageOf(4), pageOf(5)]);
    await first.close();
    for (const file of await processFiles(path.join(await backendDirOf(dataDir), 'totals.json')))
      await rm(file);
    emptyAll(cms);
    const next = await startKnowing({}, []);
    await noticed(next, 'articles', '/blog');
    for (let round = 0; round < 3; round += 1)
      expect(await statusesOf(next, KNOWN_PAGES)).toEqual(
        Object.fromEntries(KNOWN_PAGES.map(page => [page, 200])),
      );
    expect((await getPage(next, '/blog')).text).toContain('Copy 1');
  });
});
