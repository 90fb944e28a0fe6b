import { describe, expect } from 'vitest';
import { siteTest as it } from '../support/site-test.ts';

describe('a page address of a static export', () => {
  it.for<[address: string, target: string]>([
    ['/blog/guides/page/2', '/blog/guides?page=2'],
    ['/blog/guides/page/1', '/blog/guides'],
    ['/blog/authors/marta-lindqvist/page/3', '/blog/authors/marta-lindqvist?page=3'],
    ['/blog/archive/2026/page/2', '/blog/archive/2026?page=2'],
    ['/blog/guides/page/2?page=7&sent=subscribe', '/blog/guides?page=2&sent=subscribe'],
  ])('the list page at %s gives a 308 to %s', async ([address, target], { getPage }) => {
    const { status, headers } = await getPage(address);
    expect([status, headers.location]).toEqual([308, target]);
  });

  it('a navigation to a list page is redirected to the live address', async ({ getPage }) => {
    const { text } = await getPage('/blog/guides/page/2/_payload.json');
    expect(JSON.parse(text).redirect).toEqual({
      ...{ to: '/blog/guides?page=2', statusCode: 308, external: false },
    });
  });

  it.for(['/blog/page/2', '/blog/guides/page/02', '/blog/guides/page/x', '/search/page/2', '/about/page/2'])(
    '%s is a 404',
    async (address, { getPage }) => {
      expect((await getPage(address)).status).toBe(404);
    },
  );
});
