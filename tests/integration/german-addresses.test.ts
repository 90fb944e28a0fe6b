import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type EmbeddedBackend,
  startEmbeddedBackend,
} from '../../server/embedded-cms/start-embedded-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

let folder: string;
let backend: EmbeddedBackend;
let german: RunningSite;
let english: RunningSite;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'german-'));
  const contentDir = path.join(folder, 'content');
  await cp(FIXTURE_CONTENT, contentDir, { recursive: true });
  const article =
    '---\ntitle: Eine Prüfung\ncategory: news\ndate: 2026-01-02\ntags: [Prüfung]\n---\n\nEin Text.\n';
  await writeFile(path.join(contentDir, 'articles/eine-pruefung.md'), article);
  backend = await startEmbeddedBackend({ contentDir, mailDir: path.join(folder, 'mail') });
  const start = (SITE_LOCALE: string) => startSite({ contentBaseUrl: backend.url, env: { SITE_LOCALE } });
  [german, english] = await Promise.all([start('de-DE'), start('en-GB')]);
});
afterAll(async () => {
  await Promise.all([german.close(), english.close()]);
  await backend.close();
  await rm(folder, { recursive: true, force: true });
});

const PLAIN = '/blog/tags/prufung';
const SPELT = '/blog/tags/pruefung';
const ask = async (site: RunningSite, address: string) => {
  const { status, headers } = await sendRequest(site.url, address, { headers: AS_BROWSER });
  return [status, headers.location ?? null];
};

it('a German site transliterates umlauts in addresses of names, and redirects the former address', async () => {
  expect(await ask(german, SPELT)).toEqual([200, null]);
  expect(await ask(german, PLAIN)).toEqual([308, SPELT]);
  expect(await ask(german, `${PLAIN}/feed.xml`)).toEqual([308, `${SPELT}/feed.xml`]);
  const { text } = await sendRequest(german.url, '/blog/news/eine-pruefung', { headers: AS_BROWSER });
  expect(text).toContain(`href="${SPELT}"`);
});

it('a site in another language drops the diacritics', async () => {
  expect(await ask(english, PLAIN)).toEqual([200, null]);
  expect(await ask(english, SPELT)).toEqual([404, null]);
});
