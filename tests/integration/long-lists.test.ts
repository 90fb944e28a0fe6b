import { describe, expect } from 'vitest';
import { MAX_SECTIONS, MAX_SHOWN_ROWS } from '../../server/content/lists/lists.ts';
import type { FakeBackend } from '../support/fake-backend.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const listOf = (rows: readonly object[]) => ({
  data: rows,
  meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: rows.length } },
});
const numbered = <T>(count: number, row: (number: number) => T) =>
  Array.from({ length: count }, (_, number) => row(number));
const page = async ({ url }: RunningSite, path: string) => {
  const { status, text } = await sendRequest(url, path, { headers: AS_BROWSER });
  return { status, text };
};
const reasons = ({ log }: RunningSite, type: string) =>
  log
    .filter(line => line.code === 'content-value-left-out' && line.type === type)
    .map(({ reason }) => reason);

/** Responds with a text that JSON.stringify cannot write. */
function answerWith(backend: FakeBackend, path: string, json: string): void {
  backend.on(path, (_req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(json));
}

describe('complete lists of thousands of rows', () => {
  it('a list of 600 rows is cut at the limit, the cut is logged, and the last category keeps its page', async ({
    backend,
    startOwnSite,
  }) => {
    const categories = numbered(600, id => ({ id: id + 1, name: `Name ${id}`, slug: `slug-${id}` }));
    backend.on('/api/categories', listOf(categories));
    backend.on(
      '/api/socials',
      listOf(numbered(600, id => ({ id: id + 1, link: `https://social-${id}.example/` }))),
    );
    const site = await startOwnSite();
    const index = await page(site, '/blog/slug-599');
    expect(index.status).toBe(200);
    expect(index.text).toContain('<h1');
    const links = (expression: RegExp) => new Set(index.text.match(expression)).size;
    expect(links(/href="\/blog\/slug-\d+"/g)).toBe(MAX_SHOWN_ROWS);
    expect(links(/href="https:\/\/social-\d+\.example\/"/g)).toBe(MAX_SHOWN_ROWS);
    expect(reasons(site, 'categories')).toEqual([
      `only the first ${MAX_SHOWN_ROWS} of 600 are shown on a page`,
      `only the first ${MAX_SECTIONS} of 600 are shown on the index of the blog`,
    ]);
    expect(reasons(site, 'socials')).toEqual([`only the first ${MAX_SHOWN_ROWS} of 600 are shown on a page`]);
    await page(site, '/blog');
    const asked = new Set(
      backend.callsTo('/api/articles').map(({ url }) => /\[slug\]\[\$eq\]=([\w-]+)/.exec(url)?.[1]),
    );
    expect([...asked].filter(slug => slug !== undefined && slug !== 'slug-599')).toHaveLength(MAX_SECTIONS);
  });
});

describe('an entry with very many items', () => {
  it('an entry shows 1,000 items of all its lists together, and each cut list is logged', async ({
    backend,
    startOwnSite,
  }) => {
    const links = (count: number, name: string) =>
      numbered(count, id => ({ title: `${name} ${id}`, href: `/${name}/${id}` }));
    backend.on('/api/settings', {
      data: { id: 1, headerLinks: links(700, 'header'), footerLinks: links(700, 'footer') },
    });
    const site = await startOwnSite();
    const { text } = await page(site, '/about');
    const shown = (name: string) => new Set(text.match(new RegExp(`href="/${name}/\\d+"`, 'g'))).size;
    expect([shown('header'), shown('footer')]).toEqual([700, 300]);
    expect(reasons(site, 'settings')).toEqual(['only the first 300 of 700 items are shown']);
  });

  it('a JSON text of more than 200,000 characters is not shown, and is logged', async ({
    backend,
    startOwnSite,
  }) => {
    const links = JSON.stringify(numbered(6_000, id => ({ title: `Header ${id}`, href: `/header/${id}` })));
    backend.on('/api/settings', { data: { id: 1, headerLinks: links } });
    const site = await startOwnSite();
    const { status, text } = await page(site, '/about');
    expect([status, text.includes('/header/')]).toEqual([200, false]);
    expect(reasons(site, 'settings')).toEqual([
      "'headerLinks' has more than 200000 characters: it is not shown",
    ]);
  });

  it('a field that is nested too deeply is left out, and the rest of its record stays', async ({
    backend,
    startOwnSite,
  }) => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    answerWith(backend, '/api/landing', `{"data":{"id":1,"h1":"The start","unknown":${deep}}}`);
    const site = await startOwnSite();
    const { status, text } = await page(site, '/');
    expect(status).toBe(200);
    expect(text).toContain('The start');
    expect(reasons(site, 'landing')).toContain('the value is nested too deeply and is left out');
  });
});

describe('a response whose parsing takes too long', () => {
  it.for([
    ['of too many values', JSON.stringify(Array(300_000).fill(0))],
    [
      'of too many different keys',
      JSON.stringify(Object.fromEntries(numbered(40_000, id => [`key-${id}`, 1]))),
    ],
  ] as const)(
    'a response %s is refused like one with too many bytes',
    async ([, json], { backend, startOwnSite }) => {
      answerWith(backend, '/api/socials', `{"data":{"id":1,"unknown":${json}}}`);
      const site = await startOwnSite();
      expect((await page(site, '/about')).status).toBe(200);
      expect(site.log.filter(({ type, state }) => type === 'socials' && state === 'down')).toMatchObject([
        { reason: expect.stringMatching(/an answer of \d+ values and about \d+ different keys, over the/) },
      ]);
    },
  );
});
