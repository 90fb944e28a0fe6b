import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { PageError } from '../../shared/payload/http-error.ts';
import { type AppClient, appClient } from '../support/app-client.ts';
import { startEditableBackend } from '../support/editable-backend.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { SPAIN } from '../support/invalidation-test.ts';
import { parsePage } from '../support/parse-page.ts';

let backend: FakeBackend;
let app: AppClient;

beforeAll(async () => {
  backend = await startFakeBackend();
  app = await appClient({ contentBaseUrl: backend.url });
  // Suggestions come from lists that are already cached.
  for (const path of ['/blog', '/business-solutions', '/commerce']) await app.client.get(path);
});
afterAll(async () => {
  await app.close();
  await backend.close();
});

async function suggestionsFor(path: string): Promise<string[]> {
  const { status, text } = await app.client.get(path).set('accept', 'text/html');
  expect(status).toBe(404);
  const error = parsePage(text).data?.payload.error as PageError;
  return (error.suggestions ?? []).map(({ href }) => href);
}

it('a 404 offers the page with the nearest name first', async () => {
  const { body } = await app.client.get('/blog/_payload.json');
  const { lead } = body.data.page;
  const address = `/blog/${lead.category.slug}/${lead.slug}`;
  // The addresses have one letter too few, or one too many.
  expect((await suggestionsFor(address.slice(0, -1)))[0]).toBe(address);
  expect((await suggestionsFor(`${address}s`))[0]).toBe(address);
  expect((await suggestionsFor(`/blog/${lead.category.slug}s`))[0]).toBe(`/blog/${lead.category.slug}`);
});

it('a 404 offers five pages, and each exists', async () => {
  const offered = await suggestionsFor('/blog/contacts/about-payments');
  expect(new Set(offered).size).toBe(5);
  for (const path of offered) expect((await app.client.get(path)).status, path).toBeLessThan(400);
});

it('a 404 offers five pages of the navigation when no name is near, even for a long or broken address', async () => {
  const offered = await suggestionsFor('/wp-login.php');
  expect(new Set(offered).size).toBe(5);
  expect(await suggestionsFor(`/${'%D0%B6'.repeat(300)}`)).toEqual(offered);
});

it('a 404 makes one call for its address, and many 404s share one call for all slugs', async () => {
  const before = backend.calls.length;
  for (let number = 0; number < 20; number += 1) await suggestionsFor(`/abuot-${number}`);
  const asked = backend.calls.slice(before).map(({ url }) => url);
  const others = asked.filter(url => !/filters\[slug\]\[\$eqi?\]=abuot-/.test(url));
  expect(others.filter(url => !url.startsWith('/api/pages?fields[0]=slug&'))).toEqual([]);
  expect(others.length).toBeLessThanOrEqual(1);
  // Two calls look for each address: for its slug, and for other spellings.
  expect(asked.length - others.length).toBeLessThanOrEqual(40);
});

it('a 404 offers articles of a category whose slug is stored in another spelling', async () => {
  const cms = await startEditableBackend();
  onTestFinished(() => cms.close());
  cms.row('category', 'guides').attributes.slug = 'GUIDES';
  const site = await appClient({ contentBaseUrl: cms.url });
  onTestFinished(() => site.close());
  // No other list of articles is in memory.
  expect((await site.client.get('/blog/guides')).status).toBe(200);
  const { text } = await site.client.get(`${SPAIN}s`).set('accept', 'text/html');
  const error = parsePage(text).data?.payload.error as PageError;
  expect(error.suggestions?.[0]?.href).toBe(SPAIN);
});
