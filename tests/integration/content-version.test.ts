import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { DiskStore } from '../../server/cache/disk/disk-store.ts';
import { ContentReader } from '../../server/content/reading/content-reader.ts';
import { contentRecordCodec } from '../../server/content/store/content-record.ts';
import { createLogger } from '../../server/ops/log.ts';
import { withDecodes } from '../support/changed-decoder.ts';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend } from '../support/fake-backend.ts';
import { rendersOf, storedPageOf } from '../support/page-facts-of-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const ENV = { PUBLIC_URL: 'https://www.example.com', CONTENT_TTL_MS: '20' };
/** Pages that read the landing page, the main page and the categories. All read the settings. */
const PAGES = ['/', '/blog', '/blog/guides', '/about'];

const it = backendTest.extend('dataDir', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'version-'));
  onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
  return folder;
});

async function visit(site: RunningSite, address: string): Promise<void> {
  const answer = await sendRequest(site.url, address, { headers: AS_BROWSER });
  expect([address, answer.status]).toEqual([address, 200]);
}

/** Visits pages until each was revalidated with content loaded after now. */
async function revalidateAll(site: RunningSite): Promise<void> {
  const since = Date.now() + 1;
  await eventually(async () => {
    for (const address of PAGES) await visit(site, address);
    for (const address of PAGES)
      expect([address, (storedPageOf(site, address)?.generatedAt ?? 0) > since]).toEqual([address, true]);
  }, 20_000);
}

interface Row {
  attributes: Record<string, unknown>;
}

/** Changes attributes of a single type in the backend's responses. */
function changeSingle(backend: FakeBackend, type: string, attributes: Record<string, unknown>): void {
  const answer = capture('v5-as-v4', `${type}.json`) as { data: Row };
  Object.assign(answer.data.attributes, attributes);
  backend.on(`/api/${type}`, answer);
}

function changeCategories(backend: FakeBackend, attributes: Record<string, unknown>): void {
  const answer = capture('v5-as-v4', 'categories.json') as { data: Row[] };
  for (const row of answer.data) Object.assign(row.attributes, attributes);
  backend.on('/api/categories', answer);
}

describe('a change of content', () => {
  it('a changed field that no page reads causes no render', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite({ env: ENV });
    await revalidateAll(site);
    const rendered = await rendersOf(site);
    expect(rendered).toBe(PAGES.length);
    const now = new Date().toISOString();
    changeSingle(backend, 'settings', { updatedAt: now, colourOfTheOffice: 'green' });
    changeSingle(backend, 'landing', { updatedAt: now });
    changeSingle(backend, 'main-page', { updatedAt: now });
    changeCategories(backend, { colourOfTheOffice: 'green' });
    await revalidateAll(site);
    expect(await rendersOf(site)).toBe(rendered);

    changeSingle(backend, 'settings', { headerLinks: [{ title: 'Somewhere else', href: '/blog' }] });
    await revalidateAll(site);
    expect(await rendersOf(site), 'a field that every page reads').toBe(2 * rendered);
  });

  it('a changed redirect causes no render', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite({ env: ENV });
    await revalidateAll(site);
    const redirects = capture('v5-as-v4', 'redirects.json') as { data: Row[] };
    const [first] = redirects.data;
    redirects.data.push({ ...first, id: 99, attributes: { from: '/moved', to: '/about' } } as Row);
    backend.on('/api/redirects', redirects);
    await eventually(async () =>
      expect((await sendRequest(site.url, '/moved', { headers: AS_BROWSER })).headers.location).toBe(
        '/about',
      ),
    );
    // The address may have been a 404 earlier.
    const rendered = await rendersOf(site);
    await revalidateAll(site);
    expect(await rendersOf(site)).toBe(rendered);
    // A page with a redirect is no longer shown.
    redirects.data.push({ ...first, id: 100, attributes: { from: '/blog/guides', to: '/blog' } } as Row);
    await eventually(async () => {
      const { headers } = await sendRequest(site.url, '/blog/guides', { headers: AS_BROWSER });
      expect(headers.location).toBe('/blog');
    });
  });

  it('an unchanged response is decoded once', async ({ backend, startOwnSite }) => {
    const decoded: string[] = [];
    const site = await startOwnSite({
      env: ENV,
      overrides: { contentApi: api => withDecodes(api, decoded) },
    });
    await revalidateAll(site);
    const first = decoded.splice(0);
    expect(first.toSorted()).toEqual([...new Set(first)].toSorted());
    expect(first).toContain('settings');
    const calls = backend.callsTo('/api/settings').length;
    await revalidateAll(site);
    await revalidateAll(site);
    expect(backend.callsTo('/api/settings').length).toBeGreaterThan(calls);
    expect(decoded).toEqual([]);
    changeSingle(backend, 'settings', { updatedAt: new Date().toISOString() });
    await revalidateAll(site);
    expect(decoded).toEqual(['settings']);
  });
});

describe('one page', () => {
  it('all parts of a page show the same version of a piece of content', async ({ backend, startOwnSite }) => {
    const { site } = await startOwnSite({ env: { ...ENV, CONTENT_TTL_MS: '0' } });
    const openPage = () => new ContentReader(site.content, { signal: AbortSignal.timeout(10_000) });
    const titlesOf = async (page: ContentReader) =>
      (await page.settings()).headerLinks.map(link => link.title);
    const [early, version] = [openPage(), openPage()];
    const before = await titlesOf(early);
    await version.settings();
    changeSingle(backend, 'settings', { headerLinks: [{ title: 'Somewhere else', href: '/blog' }] });
    await eventually(async () => expect(await titlesOf(openPage())).toEqual(['Somewhere else']));
    expect(await titlesOf(early)).toEqual(before);
    expect(early.version).toBe(version.version);
  });
});

describe('a process that finds the pages and content of an earlier process on the disk', () => {
  it('a restarted process renders nothing while the content is unchanged', async ({
    backend,
    dataDir,
    startOwnSite,
  }) => {
    const before = await startOwnSite({ env: ENV, dataDir });
    await revalidateAll(before);
    expect(await rendersOf(before)).toBe(PAGES.length);
    await before.close();
    const after = await startOwnSite({ env: ENV, dataDir });
    const calls = backend.calls.length;
    for (const address of PAGES) await visit(after, address);
    await revalidateAll(after);
    expect(backend.calls.length, 'the content was loaded anew').toBeGreaterThan(calls);
    expect(await rendersOf(after)).toBe(0);
    changeCategories(backend, { name: 'Another name' });
    await revalidateAll(after);
    expect(await rendersOf(after), 'pages that read categories').toBeGreaterThan(0);
  });

  it('the disk keeps the backend’s response with its exact white space', async ({
    backend,
    dataDir,
    startOwnSite,
  }) => {
    // This JSON has white space that `JSON.stringify` would not write.
    const text = `\n${JSON.stringify(capture('v5-as-v4', 'settings.json'), null, 3)}\n`;
    backend.on('/api/settings', (_req, res) =>
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(text),
    );
    const site = await startOwnSite({ env: ENV, dataDir });
    await visit(site, '/about');
    await site.site.settled();
    const store = new DiskStore<null>({
      dir: path.join(site.site.backendFolder.dir, 'content', '3'),
      maxBytes: 1_000_000,
      decodeMeta: () => null,
      log: createLogger('silent', { write: () => {} }),
    });
    const stored = (await store.readWithBody('settings')) ?? expect.fail('nothing is stored');
    expect(contentRecordCodec.decode(stored.body).answers).toEqual([text]);
  });
});
