import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { ask } from '../faults/client.ts';
import { WEBHOOK_SECRET } from '../faults/stage.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { type CmsRow, type GeneratedCms, startGeneratedCms } from '../support/generated-cms.ts';

const it = test.extend('stage', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'shared-data-'));
  const sites: BuiltSite[] = [];
  const cms = await startGeneratedCms({
    articles: [0, 0].map(category => ({ category, author: 0, cover: 2, date: 0 })),
    isDated: true,
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await cms.close();
    isOpen = false;
  };
  onCleanup(async () => {
    for (const site of sites) await site.dispose();
    await close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  /** Starts a process on the shared folder. Only events report changes to it. */
  const start = async (contentBaseUrl: string) => {
    const env = { WEBHOOK_SECRET, CONTENT_SWEEP_MS: '0', CONTENT_TTL_MS: '3600000' };
    const site = await startBuiltSite({ contentBaseUrl, env, dataDir: path.join(folder, 'data') });
    sites.push(site);
    return site;
  };
  return { cms, close, start };
});

const PATHS = ['/blog/guides/article-0', '/blog/guides/article-1', '/about', '/terms'];

function row(cms: GeneratedCms, model: 'article' | 'page', slug: string): CmsRow {
  const found = cms.rows(model).find(one => one.slug === slug);
  if (!found) throw new Error(`There is no ${model} ${slug}`);
  return found;
}

/** Requests the pages from a process. */
async function visit(site: BuiltSite) {
  const answers = await Promise.all(PATHS.map(address => ask(site.url, address)));
  return answers.map(({ status, headers, text }) => {
    const isStale = /ttl=-/.test(String(headers['cache-status']));
    return `${status}${isStale ? ' stale' : text.includes('>Changed<') ? ' changed' : ''}`;
  });
}

it('two processes on one data folder do not overwrite each other’s data, even after kill -9', async ({
  stage: { cms, close, start },
}) => {
  const { url } = cms.backend;
  const sites = [await start(url), await start(url)] as const;
  for (const site of sites) expect(await visit(site)).toEqual(['200', '200', '200', '200']);
  for (const site of sites)
    await eventually(async () => expect(await site.metric('site_background_waiting')).toBe(0));
  // Each process gets events that the other does not get. They write in turns.
  const tell = (site: BuiltSite, event: object) => sendWebhook(site.url, WEBHOOK_SECRET, event);
  const [one, other] = sites;
  await tell(one, cms.withdraw('article', row(cms, 'article', 'article-0'), 'entry.unpublish'));
  await tell(other, cms.publish('page', row(cms, 'page', 'about'), { h1: 'Changed' }));
  await tell(one, cms.withdraw('article', row(cms, 'article', 'article-1'), 'entry.delete'));
  for (const site of sites) await site.end('SIGKILL');

  // The changed page may have been revalidated before its process was killed. Now only the disk knows what
  // may be shown.
  await close();
  for (const site of [await start(url), await start(url)])
    expect(await visit(site)).toEqual([
      '503',
      '503',
      expect.stringMatching(/^200 (?:stale|changed)$/),
      '200',
    ]);
});
