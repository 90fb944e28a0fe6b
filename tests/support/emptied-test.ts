import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { getPage, statesOf } from './content-answers.ts';
import {
  type EditableBackend,
  entryEvent,
  type Model,
  type Row,
  sendWebhook,
  startEditableBackend,
} from './editable-backend.ts';
import { eventually } from './eventually.ts';
import { capture } from './fake-backend.ts';
import { askOps, SECRET, SPAIN, TOKEN } from './invalidation-test.ts';
import type { Answer } from './send-request.ts';
import { backendTest } from './site-test.ts';
import { type RunningSite, type StartSiteOptions, startSite } from './start-site.ts';

/** Content that is never fresh: each request for a page asks the backend again. */
export const STALE_ENV = { CONTENT_TTL_MS: '0', OPS_TOKEN: TOKEN, WEBHOOK_SECRET: SECRET };
export const ARTICLES = 40;
const MODELS: readonly Model[] = ['article', 'category', 'business-solution', 'commerce', 'page', 'redirect'];

/** A page of each route. The last two articles are in no visible list. */
export const KNOWN_PAGES = [
  ...['/', '/blog', '/blog/guides', SPAIN, '/about', '/business-solutions/payouts', '/commerce/online-shops'],
  ...['/blog/guides/copy-1', '/blog/guides/copy-2', '/blog/guides/copy-3'],
];

export const pageOf = (number: number) => `/blog/guides/copy-${number}`;

/** Gives each test a backend with 40 articles, and sites with separate folders. */
export const emptiedTest = backendTest
  .extend('cms', { scope: 'file' }, async ({}, { onCleanup }): Promise<EditableBackend> => {
    const cms = await startEditableBackend();
    onCleanup(() => cms.close());
    return cms;
  })
  .extend('resetCms', { auto: true }, async ({ cms }) => {
    cms.reset();
    setArticles(cms, ARTICLES);
  })
  .extend('dataDir', async ({}, { onCleanup }) => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'emptied-'));
    onCleanup(() => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return dir;
  })
  /** Starts a site, and requests the known pages. */
  .extend('startKnowing', async ({ cms, dataDir }, { onCleanup }) => {
    const running: RunningSite[] = [];
    onCleanup(async () => {
      await Promise.all(running.map(site => site.close()));
    });
    return async (options: Partial<StartSiteOptions> = {}, pages = KNOWN_PAGES): Promise<RunningSite> => {
      const site = await startSite({ contentBaseUrl: cms.url, dataDir, env: STALE_ENV, ...options });
      running.push(site);
      for (const page of pages) expect([page, (await getPage(site, page)).status]).toEqual([page, 200]);
      await site.site.settled();
      return site;
    };
  });

/** Sets the number of articles: the recorded one about Spain, and copies of it. */
export function setArticles(cms: EditableBackend, count: number): void {
  const [spain] = capture('v5-as-v4', 'article-by-slug-deep.json').data as [Row];
  const copy = (number: number): Row => ({
    ...{ id: 1_000 + number, documentId: `copy${number}` },
    attributes: { ...spain.attributes, slug: `copy-${number}`, title: `Copy ${number}` },
  });
  const copies = Array.from({ length: Math.max(0, count - 1) }, (_, index) => copy(index + 1));
  cms.rows('article').splice(0, Number.POSITIVE_INFINITY, ...(count > 0 ? [spain, ...copies] : []));
}

/** Removes articles from the backend. */
export function removeArticles(cms: EditableBackend, isRemoved: (row: Row) => boolean): void {
  const left = cms.rows('article').filter(row => !isRemoved(row));
  cms.rows('article').splice(0, Number.POSITIVE_INFINITY, ...left);
}

/** Empties the backend like a fresh database: 200 without rows for each collection. */
export function emptyAll(cms: EditableBackend): void {
  for (const model of MODELS) cms.rows(model).length = 0;
  const none = { data: [], meta: { pagination: { page: 1, pageSize: 100, pageCount: 0, total: 0 } } };
  for (const type of ['authors', 'socials']) cms.on(`/api/${type}`, none);
}

export const post = (site: RunningSite, query: string, token = TOKEN): Promise<Answer> =>
  askOps(site.opsUrl, 'POST', `/cache?${query}`, token);

/** Reports the removal of rows, all at once. */
export async function reportRemovals(site: RunningSite, rows: readonly Row[]): Promise<void> {
  const answers = await Promise.all(
    rows.map(row => sendWebhook(site.url, SECRET, entryEvent('entry.delete', 'article', row))),
  );
  for (const { status } of answers) expect(status).toBe(200);
}

/** Visits pages until the site has noticed that a type is emptied. */
export const noticed = (site: RunningSite, type: string, page: string) =>
  eventually(async () => {
    await getPage(site, page);
    expect((await statesOf(site))[type]).toBe('emptied');
  });
/** Waits until a page has a status. */
export const isStatus = (site: RunningSite, page: string, status: number) =>
  eventually(async () => expect([page, (await getPage(site, page)).status]).toEqual([page, status]));
/** Adds copies of the first category, so that the type has enough entries to be protected. */
export function addCategories(cms: EditableBackend, count: number): void {
  const rows = cms.rows('category');
  const [first] = rows;
  if (!first) throw new Error('There are no categories');
  for (let number = 1; number <= count; number += 1)
    rows.push({
      ...{ id: 500 + number, documentId: `category${number}` },
      attributes: { ...first.attributes, slug: `category-${number}` },
    });
}
