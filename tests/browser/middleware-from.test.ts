import { expect } from 'vitest';
import { STILL } from '../support/browser.ts';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { press } from '../support/page-facts.ts';
import { SMALL_PATH } from '../support/sample-paths.ts';

/** What the route middleware got as `from`, each with the path of the navigation. */
const seen: [path: string, from: string | null][] = [];

const it = stageTest
  .extend(
    'stageOptions',
    { scope: 'file' },
    {
      route: row => ({ ...row, readsFrom: true }),
      onNavigation: (path, from) => void seen.push([path, from?.route ?? null]),
      redirects: [{ from: '/moved', to: '/blog' }],
      pages: { links: '[Moved](/moved)' },
    },
  )
  .extend('visitorOptions', { scope: 'file' }, { context: STILL });

it('`from` is null on a first load, and the route on screen after a link, Back or Forward', async ({
  open,
}) => {
  seen.length = 0;
  const { page, go, arrived } = await open();
  await go('/blog');
  await go('/about');
  await page.goBack();
  await arrived('/blog');
  await page.goForward();
  await arrived('/about');
  await page.reload();
  await arrived('/about');
  expect(seen).toEqual([
    [SMALL_PATH, null],
    ['/blog', 'commerce'],
    ['/about', 'blog'],
    ['/blog', 'page'],
    ['/about', 'blog'],
    ['/about', null],
  ]);
});

it('`from` of a redirect’s target is the page that was left', async ({ open }) => {
  seen.length = 0;
  const opened = await open('/links');
  await press(opened, '/moved');
  await opened.arrived('/blog');
  expect(seen).toEqual([
    ['/links', null],
    ['/blog', 'page'],
  ]);
});

it('a payload prefetched on one route does not answer a navigation from another', async ({ open }) => {
  seen.length = 0;
  const opened = await open(SMALL_PATH, { prefetch: true, ignore: /net::ERR_ABORTED/ });
  const fromFirst = () => seen.filter(([path, from]) => path === '/about' && from === 'commerce');
  await eventually(() => expect(fromFirst()).toHaveLength(1));
  await press(opened, '/blog');
  await opened.arrived('/blog');
  await press(opened, '/about');
  await opened.arrived('/about');
  expect(seen).toContainEqual(['/about', 'blog']);
});
