import type { Element } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import sharp from 'sharp';
import { visit } from 'unist-util-visit';
import { describe, expect } from 'vitest';
import { capture, type FakeBackend, failing } from '../support/fake-backend.ts';
import { picture } from '../support/image-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const svg = (width: number, height: number, colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${colour}"/></svg>`;
const [LIGHT, DARK, PHOTO] = ['/uploads/light.svg', '/uploads/dark.svg', '/uploads/photo.png'];
const NAME = 'Acme & Söhne';
const ABOUT = '/about';

function serve(backend: FakeBackend, path: string, type: string, bytes: string | Buffer): void {
  backend.on(path, (_req, res) => void res.writeHead(200, { 'Content-Type': type }).end(bytes));
}

/** The CMS states a wrong size, as it may for a replaced file. */
const medium = (url: string) => ({ data: { id: 7, attributes: { url, width: 12, height: 34 } } });

function setSettings(backend: FakeBackend, fields: object): void {
  const settings = structuredClone(capture('v5-as-v4', 'settings.json')) as { data: { attributes: object } };
  Object.assign(settings.data.attributes, { siteName: NAME }, fields);
  backend.on('/api/settings', settings);
}

const it = backendTest.extend('start', async ({ backend, startOwnSite }) => async (fields: object) => {
  serve(backend, LIGHT, 'image/svg+xml', svg(240, 60, '#c8102e'));
  serve(backend, DARK, 'image/svg+xml', svg(300, 100, '#ffd100'));
  serve(backend, PHOTO, 'image/png', await picture(900, 300));
  setSettings(backend, fields);
  return startOwnSite();
});

const get = (site: RunningSite, path: string) => sendRequest(site.url, path, { headers: AS_BROWSER });

function inside(element: Element, tagName: string): Element[] {
  const found: Element[] = [];
  visit(element, { type: 'element', tagName }, one => void found.push(one as Element));
  return found;
}

/** @returns the logos of a page by their place. */
async function logosOf(site: RunningSite, path: string) {
  const page = parsePage((await get(site, path)).text);
  const logos = (area: string) =>
    page.all(area).flatMap(element => inside(element, 'img').map(({ properties }) => properties)) as {
      src: string;
      alt: string;
      width: number;
      height: number;
    }[];
  return { header: logos('header'), footer: logos('footer') };
}

describe('a logo of the settings', () => {
  it('a logo of the settings is in header and footer, with its name and the size of its file', async ({
    start,
  }) => {
    const site = await start({ logo: medium(LIGHT), logoDark: medium(DARK) });
    const light = { src: LIGHT, alt: NAME, width: 240, height: 60 };
    const dark = { src: DARK, alt: NAME, width: 300, height: 100 };
    for (const path of ['/', ABOUT, '/blog']) {
      const { header, footer } = await logosOf(site, path);
      expect(header, path).toEqual([light, dark].map(logo => expect.objectContaining(logo)));
      expect(footer.slice(0, 2), path).toEqual([light, dark].map(logo => expect.objectContaining(logo)));
    }
    const { text, headers } = await get(site, ABOUT);
    expect(text.match(new RegExp(`<img[^>]* src="${LIGHT}"`, 'g'))).toHaveLength(2);
    // The policy of pages allows the files of the site.
    expect(String(headers['content-security-policy'])).toMatch(/img-src[^;]* 'self'/);
    expect((await get(site, LIGHT)).status).toBe(200);
    const missing = await get(site, '/no-such-page');
    expect([missing.status, missing.text.includes(LIGHT)]).toEqual([404, true]);
  });

  it('a raster logo is shown as a small rendition, and a single logo serves both colour schemes', async ({
    start,
  }) => {
    const site = await start({ logo: medium(PHOTO) });
    const { header } = await logosOf(site, ABOUT);
    const small = '/images/uploads/photo.png/640.webp';
    expect(header).toEqual([expect.objectContaining({ src: small, alt: NAME, width: 900, height: 300 })]);
    const { body, headers } = await get(site, small);
    expect([headers['content-type'], (await sharp(body).metadata()).width]).toEqual(['image/webp', 640]);
  });

  it('a square logo has the name beside it', async ({ backend, start }) => {
    serve(backend, '/uploads/mark.svg', 'image/svg+xml', svg(64, 64, '#c8102e'));
    const site = await start({ logo: medium('/uploads/mark.svg') });
    const { header } = await logosOf(site, ABOUT);
    expect(header).toEqual([expect.objectContaining({ alt: '', width: 64, height: 64 })]);
    const page = parsePage((await get(site, ABOUT)).text);
    const [home] = page.all('header').flatMap(element => inside(element, 'a'));
    expect(home && textOf(home)).toBe(NAME);
  });

  it.for<[string, (backend: FakeBackend, path: string) => void]>([
    ['is missing', (backend, path) => backend.on(path, failing(404))],
    ['is no picture', (backend, path) => serve(backend, path, 'image/svg+xml', 'Not found')],
    ['has another format', (backend, path) => serve(backend, path, 'image/gif', 'GIF89a')],
  ])(
    'a logo whose file %s is logged, and the brand’s logo is shown',
    async ([why, answer], { backend, start }) => {
      const path = `/uploads/logo-${why.replaceAll(' ', '-')}.svg`;
      answer(backend, path);
      const site = await start({ logo: medium(path) });
      const { header, footer } = await logosOf(site, ABOUT);
      expect([...header, ...footer].filter(({ src }) => src === path)).toEqual([]);
      expect((await get(site, ABOUT)).text).toMatch(/<header[\s\S]*?<svg/);
      expect(site.log).toContainEqual(
        expect.objectContaining({ code: 'content-value-left-out', field: 'logo', type: 'settings' }),
      );
    },
  );
});

/** @returns two colours of the card's first row of text: at its beginning, and 150 px further. */
async function firstLine(site: RunningSite): Promise<number[]> {
  const [, address = ''] = /property="og:image" content="([^"]+)"/.exec((await get(site, ABOUT)).text) ?? [];
  const { pathname, search } = new URL(address.replaceAll('&amp;', '&'), site.url);
  const answer = await get(site, pathname + search);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/jpeg']);
  const row = await sharp(answer.body)
    .extract({ left: 80, top: 104, width: 200, height: 1 })
    .raw()
    .toBuffer();
  return [0, 150].flatMap(left => Array.from(row.subarray(3 * left, 3 * left + 3)));
}

const near = (colour: readonly number[]) =>
  colour.map(part => expect.toSatisfy((value: number) => Math.abs(value - part) < 12));

describe('a card', () => {
  it('a card has the logo for its surface, as vector or raster', async ({ backend, start }) => {
    const site = await start({ logo: medium(LIGHT), logoDark: medium(DARK) });
    expect((await firstLine(site)).slice(0, 6)).toEqual(near([255, 209, 0, 255, 209, 0]));
    serve(
      backend,
      '/uploads/flat.png',
      'image/png',
      await sharp({ create: { width: 400, height: 100, channels: 3, background: '#ff00ff' } })
        .png()
        .toBuffer(),
    );
    setSettings(backend, { logo: medium('/uploads/flat.png') });
    site.site.invalidation.remove(['*']);
    expect(await firstLine(site)).toEqual(near([255, 0, 255, 255, 0, 255]));
  });

  it('a card keeps the mark of the brand if the logo is broken, and a log entry says so', async ({
    backend,
    start,
  }) => {
    const whole = await start({});
    const marked = await firstLine(whole);
    // The header states a size, and nothing follows.
    serve(backend, '/uploads/cut.png', 'image/png', (await picture(400, 100)).subarray(0, 200));
    const site = await start({ logo: medium('/uploads/cut.png') });
    expect(await firstLine(site)).toEqual(near(marked));
    expect(site.log.map(({ code }) => code)).toContain('media-logo-not-drawn');
  });
});
