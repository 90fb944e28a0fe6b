import { cp, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { backendDirOf } from '../support/backend-dir.ts';
import { runData } from '../support/data-test.ts';
import { eventually } from '../support/eventually.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { PREVIEW_ENV, SECRET, TOKEN } from '../support/preview-test.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const DAY_MS = 24 * 3_600_000;
const NOT_KNOWN = 'because their past is not known';

let dir: string;
let backend: Awaited<ReturnType<typeof startEmbeddedBackend>>;
let site: RunningSite;

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'past-'));
  await cp(FIXTURE_CONTENT, path.join(dir, 'content'), { recursive: true });
  await Promise.all(['pages/edited', 'pages/removed', 'pages/forgotten'].map(name => write(name, 'First')));
  await write('articles/edited-news', 'First', 'category: news\ndate: 2026-01-01');
  backend = await startEmbeddedBackend({
    contentDir: path.join(dir, 'content'),
    mailDir: path.join(dir, 'mail'),
    previewToken: TOKEN,
  });
  site = await start();
});
afterAll(async () => {
  await site.close();
  await backend.close();
  await rm(dir, { recursive: true });
});

const dataDir = () => path.join(dir, 'data');

/** Starts a site that looks for changes all the time, and whose content is stale soon. */
function start(env: Record<string, string> = PREVIEW_ENV, folder = dataDir()): Promise<RunningSite> {
  return startSite({
    contentBaseUrl: backend.url,
    dataDir: folder,
    env: { CONTENT_SWEEP_MS: '50', CONTENT_TTL_MS: '200', ...env },
  });
}

const file = (name: string) => path.join(dir, 'content', `${name}.md`);

async function write(name: string, words: string, others = ''): Promise<void> {
  await writeFile(file(name), `---\ntitle: ${words} title of ${name}\n${others}\n---\n\n${words} text.\n`);
}

const get = (address: string, headers: Record<string, string> = {}) =>
  sendRequest(site.url, address, { headers: { ...AS_BROWSER, ...headers } });

const open = (at: string, on = site) =>
  sendRequest(on.url, `/api/preview?secret=${SECRET}&url=/&at=${at}`, { headers: AS_BROWSER });

/** @returns a page as visitors saw it at a moment. */
async function pageAt(at: number, address: string) {
  const opened = await open(new Date(at).toISOString());
  expect(opened.status).toBe(307);
  const [cookie = ''] = String(opened.headers['set-cookie']).split(';', 1);
  return get(address, { cookie });
}

/** Waits until the site has recorded all that a page shows. @returns a time at which it showed that. */
async function shownWith(address: string, words: string): Promise<number> {
  return eventually(async () => {
    expect((await get(address)).text).toContain(words);
    const at = Date.now();
    const { text } = await pageAt(at, address);
    expect(text).toContain(words);
    expect(text).not.toContain(NOT_KNOWN);
    return at;
  });
}

describe('a preview of a moment in the past', () => {
  it('a page is shown as it was, while visitors get it as it is', async () => {
    const [first] = await Promise.all([
      shownWith('/edited', 'First text'),
      shownWith('/blog/news', 'First title of articles/edited-news'),
    ]);
    const before = Math.max(first, await shownWith('/blog/news', 'First title of articles/edited-news'));
    await write('pages/edited', 'Second');
    await write('articles/edited-news', 'Second', 'category: news\ndate: 2026-01-01');
    const after = await shownWith('/edited', 'Second text');
    await shownWith('/blog/news', 'Second title of articles/edited-news');

    const past = await pageAt(before, '/edited');
    expect(past.text).toContain('First text');
    expect(past.text).not.toContain('Second text');
    expect(past.text).toContain('aria-label="Preview">As it was ·');
    expect(past.headers['cache-control']).toBe('private, no-store');
    expect((await pageAt(before, '/blog/news')).text).toContain('First title of articles/edited-news');
    expect((await pageAt(after, '/edited')).text).toContain('Second text');
  });

  it('a removed page is shown as it was, and then as removed', async () => {
    const before = await shownWith('/removed', 'First text');
    await rm(file('pages/removed'));
    await eventually(async () => expect((await get('/removed')).status).toBe(404));
    await eventually(async () => expect((await pageAt(Date.now(), '/removed')).status).toBe(404));
    expect((await pageAt(before, '/removed')).text).toContain('First text');
  });

  it('the preview bar counts entries that are shown as now because their past is unknown', async () => {
    const { status, text } = await pageAt(Date.now() - DAY_MS, '/about');
    expect([status, /<small>Shown as now, because their past is not known: \d+<\/small>/.test(text)]).toEqual(
      [200, true],
    );
  });

  it('the preview bar switches from the past to the present, and back', async () => {
    const at = new Date().toISOString();
    const opened = await open(at);
    const cookieOf = ({ headers }: typeof opened) => String(headers['set-cookie']).split(';')[0] ?? '';
    const now = await get('/api/preview/moment?at=&url=/about', { cookie: cookieOf(opened) });
    expect((await get('/about', { cookie: cookieOf(now) })).text).toContain('aria-label="Preview">Draft ·');
    const back = await get(`/api/preview/moment?at=${at}&url=/about`, { cookie: cookieOf(now) });
    expect((await get('/about', { cookie: cookieOf(back) })).text).toContain('>As it was ·');
  });

  it('npm run data -- forget erases all versions of an entry, also in lists', async () => {
    const before = await shownWith('/forgotten', 'First text');
    const { text: rows } = await sendRequest(backend.url, '/api/pages?filters[slug][$eq]=forgotten');
    const { documentId } = JSON.parse(rows).data[0] as { documentId: string };
    await write('pages/forgotten', 'Second');
    await shownWith('/forgotten', 'Second text');
    const result = await runData(dataDir(), 'forget', 'pages', documentId);
    expect(result).toEqual({
      code: 0,
      text: expect.stringMatching(/^[1-9]\d* versions with the entry erased/),
    });
    const { text } = await pageAt(before, '/forgotten');
    expect(text).toContain(NOT_KNOWN);
    expect(text).not.toContain('First text');
    expect(await runData(dataDir(), 'forget', 'pages', documentId)).toMatchObject({
      text: expect.stringMatching(/^0 versions/),
    });
    expect((await runData(dataDir(), 'check')).text).toContain(', 0 damaged');
  });

  it('no history is recorded without previews or with HISTORY_BYTES=0, and its preview is refused', async () => {
    for (const env of [{}, { ...PREVIEW_ENV, HISTORY_BYTES: '0' }]) {
      const folder = await mkdtemp(path.join(dir, 'other-'));
      const other = await start(env, folder);
      try {
        const opened = await open(new Date().toISOString(), other);
        expect(opened.status).toBe('PREVIEW_SECRET' in env ? 400 : 404);
        expect((await readdir(folder, { recursive: true })).join()).not.toContain('history');
      } finally {
        await other.close();
      }
    }
    expect((await open('2020-01-01T09:00')).status).toBe(400);
  });

  it('a page of the past needs no CMS, and survives restarts until it is 90 days out of use', async () => {
    const before = await shownWith('/edited', 'Second text');
    await site.close();
    const { url } = backend;
    await backend.close();
    backend = { ...backend, url, close: async () => {} };
    site = await start();
    const kept = await pageAt(before, '/edited');
    expect(kept.text).toContain('Second text');
    expect(kept.text).not.toContain(NOT_KNOWN);
    await site.close();
    const folder = path.join(await backendDirOf(dataDir()), 'history/1');
    const old = new Date(Date.now() - 91 * DAY_MS);
    const names = await readdir(folder);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) await utimes(path.join(folder, name), old, old);
    site = await start();
    await eventually(async () => expect(await readdir(folder)).toEqual([]));
  });
});
