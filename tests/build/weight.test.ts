import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUDGETS, type Budget, HOME_REQUESTS } from '../../build/budgets.ts';
import { BROWSER_PACKAGES } from '../../build/bundles/bundles.ts';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import type { RouteId } from '../../shared/routing/routes.ts';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const manifest: BuildManifest = readJson('manifest.json');
const metafile: Metafile = readJson('meta-client.json');

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(path.join(DIST, name), 'utf8')) as T;
}

/** @returns the transferred bytes of a file. Fonts are already compressed, and brotli compresses all else. */
function weight(address: string): number {
  const file = path.join(DIST, 'client', address);
  return statSync(address.endsWith('.woff2') ? file : `${file}.br`).size;
}

const total = (addresses: readonly string[]) => addresses.reduce((sum, address) => sum + weight(address), 0);

/** @returns every script that a route's page loads until it is hydrated. */
function scriptsOf(route: RouteId): string[] {
  const { entry, early, preload, catalogues, routes } = manifest;
  return [entry, early, ...preload, ...catalogues.en, ...routes[route]];
}

/** Headers that CDNs read, and do not forward to browsers. */
const FOR_CACHES: ReadonlySet<string> = new Set([
  ...['surrogate-control', 'cdn-cache-control', 'surrogate-key', 'cache-tag', 'edge-cache-tag'],
]);

/** @returns the addresses of the pictures that have loaded. */
function completePictures(page: Page): Promise<string[]> {
  return page
    .locator('img')
    .evaluateAll(images =>
      images.flatMap(image =>
        (image as HTMLImageElement).complete
          ? [new URL((image as HTMLImageElement).currentSrc).pathname]
          : [],
      ),
    );
}

describe('the weight of a first page', () => {
  const measured: [name: string, budget: Budget, bytes: number][] = [
    ['the scripts of the home page', BUDGETS.homeScripts, total(scriptsOf('home'))],
    ['the scripts of an article', BUDGETS.articleScripts, total(scriptsOf('blog-article'))],
    ['the stylesheet', BUDGETS.stylesheet, weight(manifest.stylesheet)],
    ['the fonts', BUDGETS.fonts, total(manifest.fonts)],
  ];

  it.each(measured)(
    'the weight of %s is within its budget, and not suspiciously small',
    (_name, { ceiling, floor }, bytes) => {
      expect(bytes, 'the ceiling of build/budgets.ts').toBeLessThanOrEqual(ceiling);
      expect(bytes, 'the floor of build/budgets.ts').toBeGreaterThanOrEqual(floor);
    },
  );

  it('no first page is heavier than the home page', () => {
    for (const route of Object.keys(manifest.routes) as RouteId[])
      expect(total(scriptsOf(route)), route).toBeLessThanOrEqual(BUDGETS.homeScripts.ceiling);
  });
});

describe('the browser’s bundle', () => {
  const inputs = Object.keys(metafile.inputs);
  const packageOf = (input: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [];
  const packages = new Set(inputs.flatMap(packageOf));

  it('the browser bundle has no module of the server', () => {
    expect(inputs.length).toBeGreaterThan(100);
    expect(
      inputs.filter(input => /^(?:server|build|tests|content)\//.test(input) || input.startsWith('node:')),
    ).toEqual([]);
  });

  it('the browser bundle has no package that only the server needs', () => {
    expect([...packages].filter(name => !BROWSER_PACKAGES.includes(name))).toEqual([]);
  });

  it('the browser bundle has code only of the listed packages', () => {
    // Inputs without bytes in the output, such as React Router's cookie code, do not count.
    const used = Object.values(metafile.outputs).flatMap(output =>
      Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) =>
        bytesInOutput > 0 ? packageOf(input) : [],
      ),
    );
    expect([...new Set(used)].sort()).toEqual([
      'perfect-scrollbar',
      'react',
      'react-dom',
      'react-router',
      'scheduler',
      'web-vitals',
      'zod',
    ]);
  });

  it.each(['perfect-scrollbar', 'web-vitals', 'zod'])(
    'the browser bundle has %s in a separate chunk that no first page loads',
    name => {
      const holders = Object.entries(metafile.outputs)
        .filter(([, output]) =>
          Object.keys(output.inputs).some(input => input.includes(`node_modules/${name}/`)),
        )
        .map(([name]) => name.slice('dist/client'.length))
        .filter(name => name.endsWith('.js'));
      expect(holders).toHaveLength(1);
      const atOnce = (Object.keys(manifest.routes) as RouteId[]).flatMap(scriptsOf);
      expect(atOnce.filter(address => holders.includes(address))).toEqual([]);
    },
  );
});

describe('a first visit of /', () => {
  let site: SampleSite;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it('a first visit of / requests each needed file once, and no other file', async () => {
    const { page, complaints, close } = await openPage(browser, {
      viewport: { width: 1280, height: 800 },
      prefetch: true,
    });
    // On this connection nothing is prefetched, so all requests are the page's own.
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ effectiveType: 'slow-2g' }) });
    });
    const requests: Request[] = [];
    page.on('request', request => void requests.push(request));
    await page.goto(`${site.url}/`);
    await hydrated(page);
    // After hydration the page prefetches and determines the device. When idle it loads scrollbars and
    // web vitals.
    const addresses = (kind: string) =>
      requests
        .filter(request => request.resourceType() === kind)
        .map(request => new URL(request.url()).pathname)
        .sort();
    const late = () =>
      addresses('script').filter(address =>
        /^\/assets\/(?:idle-work|prefetch|found-device|vitals)-/.test(address),
      );
    await eventually(() => expect(late()).toHaveLength(4));
    await page.waitForLoadState('networkidle');

    expect(requests.length).toBeLessThanOrEqual(HOME_REQUESTS);
    const { manifest: running } = site.site;
    const customCss = await page
      .locator('link[rel=stylesheet]')
      .evaluateAll(links => links.map(link => link.getAttribute('href')));
    // Pictures above the fold. Chromium loads others when they are within 2,500 px, on a slow machine late.
    let pictures: string[] = [];
    await eventually(async () => {
      pictures = await completePictures(page);
      expect(addresses('image')).toEqual([...new Set(pictures)].sort());
    });
    const byKind = Map.groupBy(requests, request => request.resourceType());
    expect(Object.fromEntries([...byKind.keys()].sort().map(kind => [kind, addresses(kind)]))).toEqual({
      document: ['/'],
      font: [...running.fonts].sort(),
      image: [...new Set(pictures)].sort(),
      script: [...scriptsOf('home'), ...late()].sort(),
      stylesheet: [...customCss].sort(),
    });
    expect(customCss).toHaveLength(3);
    expect(customCss[0]).toBe(running.stylesheet);
    const lazy = await page.locator('img[loading=lazy]').count();
    expect(pictures.length).toBeLessThan(lazy);

    const link = (await byKind.get('document')?.[0]?.response())?.headers().link ?? '';
    for (const font of running.fonts) expect(link).toContain(`<${font}>; rel=preload; as=font; crossorigin`);
    const { responseHeadersSize = 0, responseBodySize = 0 } =
      (await byKind.get('document')?.[0]?.sizes()) ?? {};
    expect(responseHeadersSize).toBeGreaterThan(1_000);
    const document = await byKind.get('document')?.[0]?.response();
    const lines = (await document?.headersArray()) ?? [];
    const forCaches = lines.filter(({ name }) => FOR_CACHES.has(name.toLowerCase()));
    const cacheBytes = forCaches.reduce((sum, { name, value }) => sum + `${name}: ${value}\r\n`.length, 0);
    expect(forCaches).toHaveLength(FOR_CACHES.size);
    expect(responseHeadersSize - cacheBytes + responseBodySize).toBeLessThanOrEqual(
      BUDGETS.homeDocument.ceiling,
    );
    expect(responseHeadersSize + responseBodySize).toBeGreaterThanOrEqual(BUDGETS.homeDocument.floor);

    const sizes = await Promise.all((byKind.get('script') ?? []).map(request => request.sizes()));
    const onTheWire = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(onTheWire).toBe(total([...scriptsOf('home'), ...late()]));
    // Chromium would report an unused preload here.
    expect(complaints).toEqual([]);
    await close();
  });
});
