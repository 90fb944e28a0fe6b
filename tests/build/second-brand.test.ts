import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBuiltSite } from '../faults/built-site.ts';
import { capture, type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { patient } from '../support/patience.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const NAME = 'Nordwind';
const FACE = '@fontsource-variable/noto-sans';
const LOGO = 'M3 4L5 6L7 8';
const LOGO_DARK = 'M3 4L5 6L7 9';

/** Another colour of about the same lightness. */
const other = (hex: string) => hex.replace(/#(..)(..)(..)/, '#$3$2$1');
const tokens = (await readFile(path.join(PROJECT, 'tests/fixture/brand/tokens.css'), 'utf8')).toLowerCase();
const colours = [...new Set(tokens.match(/#[\da-f]{6}/g))];
/** Names, faces and colours of the site's own brand. */
const TRACES = [
  ...['Corridor', 'Besley', 'Figtree', 'besley', 'figtree'],
  ...colours.filter(colour => other(colour) !== colour && !colours.includes(other(colour))),
];

let folder: string;
let backend: FakeBackend;
const inDist = (name: string) => path.join(folder, 'dist', name);

async function writeBrand(dir: string): Promise<void> {
  const drawing = (shape: string) =>
    `<?xml version="1.0"?>\n<!-- A drawing -->\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${shape}</svg>\n`;
  const face = { from: FACE, subsets: ['latin', 'greek'], fallback: 'sans-serif' };
  const files = {
    'tokens.css': tokens.replace(/#[\da-f]{6}/g, other),
    'brand.ts': `export const brand = ${JSON.stringify({
      name: NAME,
      logo: { hasName: true },
      surfaces: {
        light: ['#faf7f0', '#fffdf9', '#f2ede2'].map(other),
        dark: ['#13140f', '#1b1c16', '#0d0e0a'].map(other),
      },
      iconBackground: 'accent',
      bar: 'surface',
      faces: { text: { ...face, weights: [400, 700] }, display: { ...face, weights: [600] } },
      card: { background: 'band', ink: 'band-ink', inkMuted: 'band-muted', accent: 'band-accent', faces: [] },
    })};`,
    'logo.svg': drawing(`<path id="a" stroke-width="2" d="${LOGO}"/>`),
    'logo-dark.svg': drawing(`<path id="a" stroke-width="2" d="${LOGO_DARK}"/>`),
    'icon.svg': drawing('<rect width="9" height="9" fill="var(--accent)"/>'),
  };
  await mkdir(dir);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
}

/** @returns the traces of the first brand in a text. */
const tracesIn = (text: string) => TRACES.filter(trace => text.includes(trace));

async function pixelOf(picture: string | Buffer, left: number, top: number): Promise<string> {
  const pixel = await sharp(picture)
    .removeAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer();
  return `#${pixel.toString('hex')}`;
}

const colourOf = (token: string) =>
  other(new RegExp(`--${token}: (?:light-dark\\()?(#[\\da-f]{6})`).exec(tokens)?.[1] ?? '');

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'brand-'));
  await writeBrand(path.join(folder, 'brand'));
  backend = await startFakeBackend();
  await promisify(execFile)(process.execPath, ['esbuild.config.mjs'], {
    cwd: PROJECT,
    env: { ...process.env, BRAND_DIR: path.join(folder, 'brand'), DIST_DIR: path.join(folder, 'dist') },
  });
}, patient(240_000));

afterAll(async () => {
  await backend.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a build with another brand', () => {
  it('no file for browsers, and no card, has a trace of the first brand', async () => {
    const names = await readdir(inDist('client'), { recursive: true });
    const texts = names.filter(name => /\.(?:css|svg|webmanifest)$/.test(name));
    expect(texts.length).toBeGreaterThan(3);
    for (const file of [...texts.map(name => `client/${name}`), 'server/cards/card.json'])
      expect(tracesIn(await readFile(inDist(file), 'utf8')), file).toEqual([]);
    const fonts = [...names, ...(await readdir(inDist('server/cards')))].filter(name =>
      /\.(?:woff2|ttf)$/.test(name),
    );
    // Cards have the fonts in the weights of titles and of text.
    expect(fonts.length).toBe(6);
    expect(tracesIn(fonts.join(' '))).toEqual([]);
    const scripts = names.filter(name => name.endsWith('.js'));
    for (const name of scripts) {
      const script = await readFile(inDist(`client/${name}`), 'utf8');
      expect(
        tracesIn(script).filter(trace => trace !== 'Corridor'),
        name,
      ).toEqual([]);
    }
  });

  it('stylesheet, icons and web manifest have the second brand', async () => {
    const manifest = JSON.parse(await readFile(inDist('manifest.json'), 'utf8'));
    const css = await readFile(inDist(`client${manifest.stylesheet}`), 'utf8');
    expect(css).toContain('"Noto Sans", "Noto Sans Fallback"');
    expect(css).toContain(colourOf('accent'));
    // Text and titles share one font, which has all weights of both.
    expect(css).toMatch(/font-weight:400 700/);
    expect(manifest.fonts).toEqual([expect.stringMatching(/^\/assets\/noto-sans-latin-wght-normal-/)]);
    expect(manifest.bar.light).toBe(colourOf('surface'));
    const web = JSON.parse(await readFile(inDist('client/static/manifest.webmanifest'), 'utf8'));
    expect([web.name, web.theme_color]).toEqual([NAME, colourOf('surface')]);
    for (const name of ['apple-touch-icon.png', 'icon-192.png', 'icon-512.png', 'icon-maskable.png'])
      expect(await pixelOf(inDist(`client/static/${name}`), 90, 90), name).toBe(colourOf('accent'));
    expect(await pixelOf(inDist('server/cards/card-ltr.png'), 600, 400)).toBe(colourOf('band'));
  });

  it('a page has name, logo and bar of the second brand', async () => {
    const settings = structuredClone(capture('v4', 'settings.json')) as { data: { attributes: object } };
    backend.on('/api/settings', {
      data: { ...settings.data, attributes: { ...settings.data.attributes, siteName: null } },
    });
    const site = await startBuiltSite({ contentBaseUrl: backend.url, main: inDist('server/main.js') });
    try {
      const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
      expect(tracesIn(text)).toEqual([]);
      expect(text).toContain(`<meta property="og:site_name" content="${NAME}">`);
      expect(text).toContain(`<meta name="theme-color" content="${colourOf('surface')}"`);
      expect(text).toContain(`<path id="logo-a" stroke-width="2" d="${LOGO}"></path>`);
      expect(text).toContain(`<path id="logo-dark-a" stroke-width="2" d="${LOGO_DARK}"></path>`);
      const [, card = ''] = /property="og:image" content="([^"]+)"/.exec(text) ?? [];
      const { pathname, search } = new URL(card.replaceAll('&amp;', '&'));
      const { body } = await sendRequest(site.url, pathname + search);
      expect((await sharp(body).metadata()).width).toBe(1200);
    } finally {
      await site.dispose();
    }
  });
});
