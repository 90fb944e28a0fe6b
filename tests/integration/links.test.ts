import type { Element } from 'hast';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parsePage } from '../support/parse-page.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const START = [
  ...Object.values(SAMPLE_PATHS),
  '/contacts',
  '/business-solutions',
  '/commerce',
  '/no/such/page',
];

let site: SampleSite;
beforeAll(async () => {
  site = await startSampleSite();
});
afterAll(() => site.close());

/** @returns each address in a page's HTML: links and files. */
function addressesOf(elements: readonly Element[]): string[] {
  return elements.flatMap(({ tagName, properties }) => {
    const single = [
      properties.href,
      properties.src,
      properties.action,
      properties.dataEntry,
      properties.poster,
    ];
    const listed = [
      ...String(properties.dataChunks ?? '').split(' '),
      ...[properties.srcSet ?? []].flat().map(candidate => String(candidate).trim().split(/\s/)[0] ?? ''),
    ];
    // A form's action is skipped, because GET cannot request it.
    if (tagName === 'form') return [];
    return [...single.filter(value => typeof value === 'string'), ...listed].filter(value => value !== '');
  });
}

it('each page reachable by links answers 200, and its files and linked hashes exist', async () => {
  const origin = new URL(site.url).origin;
  const waiting = [...START];
  const seen = new Set(waiting);
  /** The ids of each page, by path and query. */
  const places = new Map<string, Set<string>>();
  const hashes: [from: string, page: string, id: string][] = [];
  const broken: string[] = [];

  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { status, headers, text } = await sendRequest(site.url, path, { headers: AS_BROWSER });
    if (status >= 400 && path !== '/no/such/page') broken.push(`${path}: ${status}`);
    const { location } = headers;
    const isPage = String(headers['content-type']).startsWith('text/html') && !location;
    const elements = isPage ? ['a', 'link', 'script', 'img', 'source'].flatMap(parsePage(text).all) : [];
    if (isPage) places.set(path, idsOf(text));
    for (const address of location ? [location] : addressesOf(elements)) {
      const url = new URL(address, origin + path);
      if (url.origin !== origin) continue;
      const target = url.pathname + url.search;
      if (url.hash) hashes.push([path, target, decodeURIComponent(url.hash.slice(1))]);
      if (seen.has(target)) continue;
      seen.add(target);
      waiting.push(target);
    }
  }

  const lost = hashes.filter(([, page, id]) => places.has(page) && !places.get(page)?.has(id));
  expect(broken).toEqual([]);
  expect(lost).toEqual([]);
  // The walk has covered pages, several kinds of pictures, scripts and hashes.
  expect(places.size).toBeGreaterThan(40);
  expect(seen.size).toBeGreaterThan(130);
  expect(hashes.length).toBeGreaterThan(40);
});

function idsOf(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id ?? ''));
}
