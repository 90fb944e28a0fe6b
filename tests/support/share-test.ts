import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { invalidationTest } from './invalidation-test.ts';
import { parsePage } from './parse-page.ts';
import { type Answer, sendRequest } from './send-request.ts';

/** @returns the contents of a page's meta elements, by name. */
export function metaOf(html: string): Record<string, string> {
  const metas = parsePage(html).all('meta');
  return Object.fromEntries(
    metas.map(({ properties: { name, property, content } }) => [String(name ?? property), String(content)]),
  );
}

/** A picture in an answer of the CMS. */
export const media = (url: string, width: number, height: number) => ({
  data: { id: 9, attributes: { url, width, height, alternativeText: 'Cards on a counter' } },
});

/** Gives each test a site whose shared links it can follow. */
export const shareTest = invalidationTest
  /** @returns the path of the shared picture of a page. */
  .extend('sharedBy', async ({ get, site }) => async (page: string): Promise<string> => {
    const { 'og:image': image = '' } = metaOf((await get(page)).text);
    expect(image.startsWith(`${site.url}/images/`), image).toBe(true);
    return image.slice(site.url.length);
  })
  /** Requests a picture like a program that shows shared links. */
  .extend('fetchPicture', async ({ site }) => (address: string): Promise<Answer> => {
    return sendRequest(site.url, address, { headers: { accept: '*/*' } });
  })
  /** @returns the number of cards on disk. */
  .extend('cardCount', async ({ site }) => async (): Promise<number> => {
    return (await readdir(path.join(site.site.backendFolder.dir, 'cards')).catch(() => [])).length;
  })
  /** Sets fields of the article, without any picture. */
  .extend('edit', async ({ backend, announce }) => async (fields: Record<string, unknown>): Promise<void> => {
    const article = backend.row('article', 'accepting-cards-in-spain');
    Object.assign(article.attributes, { cover: null, seo: null, seoImage: null, ...fields });
    await announce('entry.publish', 'article', article);
  })
  /** Gives the settings a picture for shared links. */
  .extend('setDefault', async ({ backend, site }) => async (shareImage: unknown): Promise<void> => {
    const response = await fetch(`${backend.url}/api/settings`, {
      headers: { 'Strapi-Response-Format': 'v4' },
    });
    const settings = (await response.json()) as { data: { attributes: Record<string, unknown> } };
    settings.data.attributes.shareImage = shareImage;
    backend.on('/api/settings', settings);
    site.site.invalidation.remove(['*']);
  });
