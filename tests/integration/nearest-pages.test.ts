import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PageError } from '../../shared/payload/payload.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

let backend: FakeBackend;
let site: RunningSite;

beforeAll(async () => {
  backend = await startFakeBackend();
  site = await startSite({ contentBaseUrl: backend.url });
  // Somebody has looked at the lists: from then on they are at hand.
  for (const path of ['/blog', '/business-solutions', '/commerce']) await sendRequest(site.url, path);
});
afterAll(async () => {
  await site.close();
  await backend.close();
});

async function suggestionsFor(path: string): Promise<string[]> {
  const { status, body } = await sendRequest(site.url, path, { headers: { accept: 'text/html' } });
  expect(status).toBe(404);
  const error = parsePage(body.toString()).data?.payload.error as PageError;
  return (error.suggestions ?? []).map(({ href }) => href);
}

it('a 404 offers the page that was meant, first', async () => {
  const articles = await sendRequest(site.url, '/blog/_payload.json');
  const { lead } = JSON.parse(articles.body.toString()).data.page;
  const address = `/blog/${lead.category.slug}/${lead.slug}`;
  // One letter less, and one too many.
  expect((await suggestionsFor(address.slice(0, -1)))[0]).toBe(address);
  expect((await suggestionsFor(`${address}s`))[0]).toBe(address);
  expect((await suggestionsFor(`/blog/${lead.category.slug}s`))[0]).toBe(`/blog/${lead.category.slug}`);
});

it('every page it offers is there, and no more than four are', async () => {
  const offered = await suggestionsFor('/blog/contacts/about-payments');
  expect(offered.length).toBeGreaterThan(0);
  expect(offered.length).toBeLessThanOrEqual(4);
  for (const path of offered) expect((await sendRequest(site.url, path)).status, path).toBeLessThan(400);
});

it('it offers nothing where nothing is near, however long or broken the address', async () => {
  expect(await suggestionsFor('/wp-login.php')).toEqual([]);
  expect(await suggestionsFor(`/${'%D0%B6'.repeat(300)}`)).toEqual([]);
});

it('the backend is not asked for anything but the address itself', async () => {
  const before = backend.calls.length;
  for (let number = 0; number < 20; number += 1) await suggestionsFor(`/abuot-${number}`);
  const asked = backend.calls.slice(before).map(({ url }) => url);
  expect(asked.filter(url => !url.includes('filters[slug][$eq]=abuot-'))).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(20);
});
