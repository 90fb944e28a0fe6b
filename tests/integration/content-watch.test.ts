import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';
import { copyRelease, FIXTURE_CONTENT } from '../support/fixture.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

let folder: string;
let site: BuiltSite;
let linesBefore = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'content-watch-'));
  await copyRelease(folder);
  // Content stays fresh for a day, so only an event can renew it.
  site = await startBuiltSite({
    main: path.join(folder, 'dist/server/main.js'),
    env: { CONTENT_TTL_MS: '86400000' },
  });
});
beforeEach(() => {
  linesBefore = site.lines().length;
});
/** Reverts the edits of a test, and waits until the site shows the original page. */
afterEach(async () => {
  const [left, originals] = await Promise.all([
    filesIn(path.join(folder, 'content')),
    filesIn(FIXTURE_CONTENT),
  ]);
  for (const name of left.filter(name => !originals.includes(name))) await rm(file(name));
  for (const name of originals) {
    const original = await readFile(path.join(FIXTURE_CONTENT, name));
    const now = await readFile(file(name)).catch(() => null);
    if (now === null || !now.equals(original)) await writeFile(file(name), original);
  }
  const title = (await edit(ABOUT, TITLE, '$&')).match(TITLE)?.[0].slice('title: '.length) ?? '';
  await shows('/about', title);
});
afterAll(async () => {
  await site.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** @returns the names of all content files. */
async function filesIn(content: string): Promise<string[]> {
  const entries = await readdir(content, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.relative(content, path.join(entry.parentPath, entry.name)));
}

/** Log entries since the test began. */
const linesOfTest = () => site.lines().slice(linesBefore);

const file = (name: string) => path.join(folder, 'content', name);
const get = (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });
async function edit(name: string, from: string | RegExp, to: string): Promise<string> {
  const text = await readFile(file(name), 'utf8');
  expect(text).toMatch(from);
  return text.replace(from, to);
}
const ABOUT = 'pages/about.md';
const TITLE = /^title: .*$/m;

/** Waits until an address shows a text. The first request after an event may still get the old page. */
const shows = (address: string, text: string) =>
  eventually(async () => expect((await get(address)).text).toContain(text));

describe('the content folder', () => {
  it('a file written in place is shown at once, every time', async () => {
    expect((await get('/about')).status).toBe(200);
    for (const title of ['First edit', 'Second edit', 'Third edit']) {
      await writeFile(file(ABOUT), await edit(ABOUT, TITLE, `title: ${title}`));
      await shows('/about', title);
    }
    expect(linesOfTest()).toContainEqual(
      expect.objectContaining({ event: 'entry.update', code: 'folder-changed' }),
    );
  });

  it('a file replaced by a rename, as some editors do, is shown at once', async () => {
    expect((await get('/about')).status).toBe(200);
    for (const title of ['Saved once', 'Saved twice']) {
      const text = await edit(ABOUT, TITLE, `title: ${title}`);
      await writeFile(file('pages/.about.md.swp'), text);
      await writeFile(file('pages/about.md~'), text);
      await rename(file('pages/.about.md.swp'), file(ABOUT));
      await shows('/about', title);
    }
  });

  it('an added file is shown at once, and a deleted file is gone at once', async () => {
    const added = 'pages/our-offices.md';
    expect([(await get('/about')).status, (await get('/our-offices')).status]).toEqual([200, 404]);
    await writeFile(file(added), await edit(ABOUT, TITLE, 'title: Offices of the company'));
    await rm(file(ABOUT));
    await shows('/our-offices', 'Offices of the company');
    await eventually(async () => expect((await get('/about')).status).toBe(404));
    expect(linesOfTest()).toContainEqual(
      expect.objectContaining({ event: expect.stringContaining('entry.delete') }),
    );
  });

  it('an entry that becomes a draft is gone at once, until it is published again', async () => {
    expect((await get('/about')).status).toBe(200);
    const published = await readFile(file(ABOUT), 'utf8');
    await writeFile(file(ABOUT), await edit(ABOUT, TITLE, 'title: Hidden\ndraft: true'));
    await eventually(async () => expect((await get('/about')).status).toBe(404));
    await writeFile(file(ABOUT), published);
    await eventually(async () => expect((await get('/about')).status).toBe(200));
  });

  it('many files changed at once, as by git, are all shown at once', async () => {
    const names = (await readdir(file('pages'))).filter(name => name.endsWith('.md'));
    const addresses = ['/about', '/careers', '/press', '/terms'];
    for (const address of addresses) expect((await get(address)).status).toBe(200);
    const articles = (await readdir(file('articles'))).map(name => `articles/${name}`);
    const changes = [...names.map(name => `pages/${name}`), ...articles].map(
      async name => [name, await edit(name, TITLE, 'title: Changed by git')] as const,
    );
    for (const [name, text] of await Promise.all(changes)) await writeFile(file(name), text);
    for (const address of addresses) await shows(address, 'Changed by git');
  });

  it('many articles deleted at once are gone at once, because each deletion is an event', async () => {
    const files = (await readdir(file('articles'))).filter(name => name.endsWith('.md'));
    const address = '/blog/cases/ceramics-from-lodz';
    expect(files).toContain('ceramics-from-lodz.md');
    for (const page of [address, '/blog']) expect((await get(page)).status).toBe(200);
    const kept = files.filter(name => name !== 'ceramics-from-lodz.md').slice(0, files.length * 0.4);
    await Promise.all(files.filter(name => !kept.includes(name)).map(name => rm(file(`articles/${name}`))));
    await eventually(async () => expect((await get(address)).status).toBe(404));
    await eventually(async () => expect((await get('/blog')).text).not.toContain(address));
    const ready = await sendRequest(site.opsUrl, '/readyz');
    expect(ready.json()).toMatchObject({ backend: 'up' });
    expect(site.lines().filter(({ code }) => code === 'content-type-emptied')).toEqual([]);
    await cp(path.join(FIXTURE_CONTENT, 'articles'), file('articles'), { recursive: true });
    await eventually(async () => expect((await get(address)).status).toBe(200));
  });

  it('a resized picture has its new size at once', async () => {
    const [name] =
      /cover-[\w-]+\.svg/.exec(await readFile(file('articles/ceramics-from-lodz.md'), 'utf8')) ?? [];
    const address = '/blog/cases/ceramics-from-lodz';
    expect((await get(address)).status).toBe(200);
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="1234" height="567"></svg>';
    await writeFile(file(`uploads/${name}`), picture);
    await shows(address, '1234');
  });

  it('a broken file keeps its last good version until it is fixed', async () => {
    expect((await get('/about')).status).toBe(200);
    await writeFile(file(ABOUT), '---\ntitle: [\n---\n');
    await eventually(() =>
      expect(linesOfTest()).toContainEqual(
        expect.objectContaining({ level: 'warn', code: 'folder-problem' }),
      ),
    );
    expect((await get('/about')).status).toBe(200);
    await cp(path.join(FIXTURE_CONTENT, ABOUT), file(ABOUT));
    await writeFile(file(ABOUT), await edit(ABOUT, TITLE, 'title: Repaired'));
    await shows('/about', 'Repaired');
  });
});

it('a system without free file watchers is logged with a remedy, and content is served', async () => {
  for (const code of ['ENOSPC', 'EMFILE']) {
    const warnings: [string, Record<string, unknown>][] = [];
    const backend = await startEmbeddedBackend({
      contentDir: file(''),
      mailDir: path.join(folder, 'mail'),
      onWarning: (...warning) => warnings.push(warning),
      onEvents: () => {},
      watch: () => Promise.reject(Object.assign(new Error(`${code}: no more watchers`), { code })),
    });
    await eventually(() =>
      expect(warnings).toEqual([
        [
          'The content folder cannot be watched for changes',
          { reason: expect.stringContaining(code), remedy: expect.stringContaining('max_user_watches') },
        ],
      ]),
    );
    expect((await fetch(`${backend.url}/api/pages`)).status).toBe(200);
    await backend.close();
  }
});
