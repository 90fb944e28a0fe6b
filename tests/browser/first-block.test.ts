import { describe, expect } from 'vitest';
import { stageTest as it } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { EXPECTED } from '../support/new-build-test.ts';

const ofTheMap = (opened: { requests: readonly { url(): string }[] }) =>
  opened.requests.map(made => new URL(made.url()).pathname).filter(path => path.includes('map-header'));

describe('the map of the first block', () => {
  it('a first visit loads the stylesheet of the map and not its script', async ({ open }) => {
    const opened = await open('/');
    expect(ofTheMap(opened)).toEqual([expect.stringMatching(/^\/assets\/map-header-\w+\.css$/)]);
    await opened.go('/about');
    await opened.page.goBack();
    const map = opened.page.getByRole('img', { name: /^Map of the world/ });
    await map.waitFor();
    expect(await map.evaluate(element => getComputedStyle(element).position)).toBe('relative');
    // React finds the stylesheet of the first page and adds no second one.
    expect(await opened.page.locator('link[href*="map-header"]').count()).toBe(1);
  });

  it('a navigation loads script and stylesheet of the map before it shows the page', async ({ open }) => {
    const opened = await open('/about');
    expect(ofTheMap(opened)).toEqual([]);
    await opened.go('/');
    const map = opened.page.getByRole('img', { name: /^Map of the world/ });
    await map.waitFor();
    expect(await map.evaluate(element => getComputedStyle(element).position)).toBe('relative');
    await eventually(() => expect(new Set(ofTheMap(opened)).size).toBe(2));
  });

  it('a missing script of the map causes one full load', async ({ open }) => {
    const opened = await open('/about', { ignore: EXPECTED });
    await opened.page.route('**/assets/map-header*.js', route =>
      route.fulfill({ status: 404, body: 'None' }),
    );
    await opened.page.evaluate(() => document.querySelector<HTMLElement>('a[href="/"]')?.click());
    await eventually(() => expect(opened.documents()).toEqual(['/about', '/']));
    await opened.page.getByRole('img', { name: /^Map of the world/ }).waitFor();
  });
});
