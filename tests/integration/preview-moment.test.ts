import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { editor, PREVIEW_ENV, SECRET, TOKEN } from '../support/preview-test.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

let dir: string;
let backend: Awaited<ReturnType<typeof startEmbeddedBackend>>;
let site: RunningSite;

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'moment-'));
  const content = path.join(dir, 'content');
  await cp(FIXTURE_CONTENT, content, { recursive: true });
  const write = (name: string, lines: string) =>
    writeFile(path.join(content, `${name}.md`), `---\n${lines}\n---\n\nText.\n`);
  await write('pages/christmas', 'title: Christmas\npublishAt: 2099-12-24T09:00\nunpublishAt: 2099-12-27');
  await write(
    'articles/christmas-news',
    'title: Christmas news\ndraft: true\ncategory: news\ndate: 2026-01-01\npublishAt: 2099-12-24T09:00',
  );
  const landing = path.join(content, 'landing.json');
  const { positionsAndCustomBlocks: order, ...others } = JSON.parse(await readFile(landing, 'utf8'));
  const planned = { custom: 'Words of the planned block', anchor: 'planned', publishAt: '2099-12-24T09:00' };
  const shown = { ...others, positionsAndCustomBlocks: [...order, planned] };
  await writeFile(landing, JSON.stringify(shown));
  backend = await startEmbeddedBackend({
    contentDir: content,
    mailDir: path.join(dir, 'mail'),
    previewToken: TOKEN,
  });
  site = await startSite({
    contentBaseUrl: backend.url,
    env: { ...PREVIEW_ENV, SITE_TIME_ZONE: 'Pacific/Kiritimati' },
  });
});
afterAll(async () => {
  await site.close();
  await backend.close();
  await rm(dir, { recursive: true });
});

const get = (address: string, headers: Record<string, string> = {}) =>
  sendRequest(site.url, address, { headers: { ...AS_BROWSER, ...headers } });

/** Opens a preview of a moment. @returns a function that gets pages as its editor sees them. */
async function previewAt(at: string) {
  const opened = await get(`/api/preview?secret=${SECRET}&url=/&at=${at}`);
  expect([opened.status, opened.headers.location]).toEqual([307, '/']);
  const [cookie = ''] = String(opened.headers['set-cookie']).split(';', 1);
  return (address: string) => get(address, { cookie });
}

describe('a preview of a moment', () => {
  it('the preview shows the site as it will be at that moment, with the drafts planned for it', async () => {
    const addresses = ['/christmas', '/blog/news/christmas-news', '/about'];
    for (const [at, statuses] of [
      ['2099-12-24T08:59', [404, 404, 200]],
      ['2099-12-24T09:00', [200, 200, 200]],
      ['2099-12-27T00:00', [404, 200, 200]],
    ] as const) {
      const shown = await previewAt(at);
      const answers = await Promise.all(addresses.map(shown));
      expect([at, answers.map(({ status }) => status)]).toEqual([at, statuses]);
      const [home, list] = await Promise.all(['/', '/blog/news'].map(shown));
      const hasCome = at >= '2099-12-24T09:00';
      expect(home?.text.includes('Words of the planned block')).toBe(hasCome);
      expect(list?.text.includes('Christmas news')).toBe(hasCome);
      expect(home?.text).toContain(`Calendar: ${at.replace('T', ', ')}`);
    }
    expect((await get('/christmas')).status).toBe(404);
  });

  it('a preview without a moment shows all drafts, whatever their dates', async () => {
    const shown = await Promise.all(
      ['/christmas', '/blog/news/christmas-news'].map(address => get(address, editor())),
    );
    expect(shown.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('the preview bar requests another moment with the cookie, and nobody else can', async () => {
    const address = '/api/preview/moment?url=/christmas&at=2099-12-25T10:00';
    expect((await get(address)).status).toBe(401);
    const moved = await get(address, editor());
    expect([moved.status, moved.headers.location]).toEqual([307, '/christmas']);
    const [cookie = ''] = String(moved.headers['set-cookie']).split(';', 1);
    expect((await get('/christmas', { cookie })).text).toContain('Calendar: 2099-12-25, 10:00');
    const now = await get('/api/preview/moment?url=/christmas&at=', { cookie });
    const [later = ''] = String(now.headers['set-cookie']).split(';', 1);
    expect((await get('/christmas', { cookie: later })).text).toContain('<summary>Calendar</summary>');
  });

  it.for(['2020-01-01T09:00', 'soon'])(
    'a preview of the past, or of a text that is no moment, is refused: %s',
    async at => {
      expect((await get(`/api/preview?secret=${SECRET}&url=/&at=${at}`)).status).toBe(400);
    },
  );

  it('the calendar lists all changes by date, the next one first', async () => {
    expect((await get('/api/preview/plan')).status).toBe(401);
    const plan = await get('/api/preview/plan', editor());
    expect(plan.headers['cache-control']).toBe('no-store');
    const changes = plan.json<{ at: string; kind: string; type: string; title: string }[]>();
    expect(changes.map(({ at, kind, title }) => `${at} ${title} ${kind}`)).toEqual(
      expect.arrayContaining([
        '2099-12-24T09:00 Christmas appears',
        '2099-12-24T09:00 Christmas news appears',
        '2099-12-24T09:00 planned appears',
        '2099-12-27T00:00 Christmas ends',
      ]),
    );
    expect(changes.at(-1)).toEqual({
      at: '2099-12-27T00:00',
      kind: 'ends',
      type: 'Page',
      title: 'Christmas',
    });
  });
});
