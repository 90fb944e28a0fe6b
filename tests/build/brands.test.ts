import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBrand } from '../../build/brand/brand.ts';
import { Tokens } from '../../build/brand/tokens.ts';
import type { BuiltSite } from '../faults/built-site.ts';
import { hydrated, launchBrowser, openPage, STILL } from '../support/browser.ts';
import { type BuiltBrand, buildBrand } from '../support/built-brand.ts';
import { patient } from '../support/patience.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFile(path.join(PROJECT, file), 'utf8');

/** What the two brands show, by the folder in `tests/brands`. */
const BRANDS = [
  {
    name: 'kessler',
    siteName: 'Kessler Fördertechnik',
    face: '"Barlow Semi Condensed", "Barlow Semi Condensed Fallback", "Barlow Semi Condensed Fallback 2"',
    weights: 'font-weight:600',
    language: 'de-DE',
    article: '/blog/instandhaltung/stillstand-planen',
    product: '/business-solutions/schwerlastgurtfoerderer',
    more: ['/unternehmen', '/blog/instandhaltung', '/blog/authors/juergen-wessels', '/search?q=Gurt'],
    found: 'Schwerlastgurtförderer',
    // The logos for light and for dark surfaces have different ids.
    logo: ['<clipPath id="logo-belt">', '<clipPath id="logo-dark-belt">'],
    amount: '1.450',
    digits: 'decimal',
    path: ' /nothing-here',
    card: 'surface-sunken',
    icon: 'accent',
  },
  {
    name: 'rahma',
    siteName: 'رحمة',
    face: '"Noto Naskh Arabic", "Noto Naskh Arabic Fallback", "Noto Naskh Arabic Fallback 2"',
    weights: 'font-weight:400 700',
    language: 'ar-EG',
    article: '/blog/villages/one-well-one-year',
    product: '/business-solutions/wells',
    more: ['/about', '/blog/villages', '/blog/authors/salma-abdelhadi', '/search?q=ماء'],
    found: 'آبار',
    logo: ['fill="var(--accent)"'],
    // The narrow symbol would be E£.
    amount: 'ج.م.',
    digits: 'arabic-indic',
    path: ' \u200e/nothing-here',
    card: 'band',
    icon: 'band',
  },
] as const;

/** A colour in any notation, without its transparency. */
const COLOUR = /#[\da-f]{6}\b|#[\da-f]{3}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%degturn+-]*/gi;

/** @returns the colours of a text as `#rrggbb`. */
function coloursIn(text: string): Set<string> {
  const notations = new Set(text.match(COLOUR));
  return new Set(
    [...notations].flatMap(notation => {
      if (notation.length === 7 && notation.startsWith('#')) return notation.toLowerCase();
      const opaque = notation.includes('(')
        ? `${notation.replace(/,[^,]*$/, match => (notation.split(',').length > 3 ? '' : match))})`
        : notation;
      try {
        return new Tokens(`:root{--one: ${opaque};}`).colour('one');
      } catch {
        return [];
      }
    }),
  );
}

/** The colours, font faces and names of the site's own brand, which other brands must not show. */
async function tracesOfFirst() {
  const own = await readBrand();
  const settings = await read('content/settings.json').catch(() => '{}');
  const { siteName } = JSON.parse(settings) as { siteName?: string };
  const faces = [own.faces.text, own.faces.display].map(({ from }) => path.basename(from, '.woff2'));
  return {
    colours: coloursIn(await read('site/brand/tokens.css')),
    faces,
    names: [siteName ?? '', own.name ?? ''].filter(name => name.length > 4),
    tokens: new Tokens(await read('site/brand/tokens.css')),
  };
}

/** Both builds run at the same time. */
const builds = new Map(BRANDS.map(({ name }) => [name, buildBrand(name)]));

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each(BRANDS)('the brand $name', expected => {
  let brand: BuiltBrand;
  let site: BuiltSite;
  let tokens: Tokens;
  let first: Awaited<ReturnType<typeof tracesOfFirst>>;

  beforeAll(async () => {
    brand = await (builds.get(expected.name) ?? buildBrand(expected.name));
    site = await brand.start({ env: { SECURITY_CONTACT: 'mailto:security@example.com' } });
    tokens = new Tokens(await read(`tests/brands/${expected.name}/brand/tokens.css`));
    first = await tracesOfFirst();
    // Values that an adopter's brand shares with the first brand are not traces.
    const [css, faces] = await Promise.all(
      ['tokens.css', 'brand.ts'].map(file => read(`tests/brands/${expected.name}/brand/${file}`)),
    );
    for (const colour of coloursIn(css ?? '')) first.colours.delete(colour);
    first.faces = first.faces.filter(face => !faces?.includes(face));
  }, patient(240_000));
  afterAll(() => site?.dispose());

  /** @returns the traces of the first brand in a text. */
  function tracesIn(text: string): string[] {
    const lower = text.toLowerCase();
    return [
      ...first.faces.filter(face => lower.includes(face)),
      // The case counts, because the sample's name in lower case is a common noun.
      ...first.names.filter(name => text.includes(name)),
      ...[...coloursIn(text)].filter(colour => first.colours.has(colour)),
    ];
  }
  const get = (address: string) => sendRequest(site.url, encodeURI(address), { headers: AS_BROWSER });

  /** @returns how many pixels of a picture have a strong colour of the first brand. */
  async function foreignPixels(picture: string | Buffer): Promise<number> {
    const foreign = (['accent', 'band', 'band-accent'] as const)
      .map(token => first.tokens.colour(token))
      .filter(colour => first.colours.has(colour))
      .map(colour => [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16)));
    const { data } = await sharp(picture)
      .flatten({ background: '#ff00ff' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    let count = 0;
    for (let at = 0; at < data.length; at += 3)
      if (
        foreign.some(colour =>
          colour.every((part, channel) => Math.abs(part - (data[at + channel] ?? 0)) < 6),
        )
      )
        count += 1;
    return count;
  }

  it('no browser file and no share card file has a trace of the site’s own brand', async () => {
    const names = (await readdir(brand.inDist('client'), { recursive: true })).map(name => `client/${name}`);
    const cards = (await readdir(brand.inDist('server/cards'))).map(name => `server/cards/${name}`);
    const files = [...names, ...cards];
    expect(tracesIn(files.join(' '))).toEqual([]);
    const texts = files.filter(name => /\.(?:css|js|json|svg|webmanifest)$/.test(name));
    expect(texts.length).toBeGreaterThan(20);
    for (const file of texts)
      expect([file, tracesIn(await readFile(brand.inDist(file), 'utf8'))]).toEqual([file, []]);
    for (const file of files.filter(name => /\.(?:png|jpg)$/.test(name)))
      expect([file, await foreignPixels(brand.inDist(file))]).toEqual([file, 0]);
  });

  it('stylesheet, icons, web manifest and share cards show the brand', async () => {
    const manifest = JSON.parse(await readFile(brand.inDist('manifest.json'), 'utf8'));
    const css = await readFile(brand.inDist(`client${manifest.stylesheet}`), 'utf8');
    expect(css).toContain(expected.face);
    expect(css).toContain(expected.weights);
    expect(coloursIn(css)).toContain(tokens.colour('accent'));
    expect(manifest.fonts.length).toBeGreaterThan(0);
    expect(new Set(manifest.fonts).size).toBe(manifest.fonts.length);
    const web = JSON.parse(await readFile(brand.inDist('client/static/manifest.webmanifest'), 'utf8'));
    expect(web.name).toBe(expected.siteName);
    const corner = async (file: string) => {
      const area = { left: 2, top: 2, width: 1, height: 1 };
      return `#${(await sharp(brand.inDist(file)).removeAlpha().extract(area).raw().toBuffer()).toString('hex')}`;
    };
    expect(await corner('client/static/icon-maskable.png')).toBe(tokens.colour(expected.icon));
    for (const file of ['card-ltr.png', 'card-rtl.png', 'card-ltr-bare.png'])
      expect([file, await corner(`server/cards/${file}`)]).toEqual([file, tokens.colour(expected.card)]);
  });

  it('pages of every kind show only their brand', async () => {
    const { article, product, more, language, siteName, logo } = expected;
    for (const address of ['/', article, product, '/blog', '/contacts', ...more]) {
      const { status, text } = await get(address);
      expect([address, status, tracesIn(text)]).toEqual([address, 200, []]);
      expect(text).toContain(`<html lang="${language}" dir="${language === 'ar-EG' ? 'rtl' : 'ltr'}"`);
      expect(text).toContain(`<meta property="og:site_name" content="${siteName}">`);
      expect(text).toContain(`<meta name="theme-color" content="`);
      for (const part of logo) expect(text).toContain(part);
    }
    const missing = await get('/nothing-here');
    expect([missing.status, tracesIn(missing.text)]).toEqual([404, []]);
    expect(missing.text).toContain(expected.path);
    expect((await get('/')).text).toContain(expected.amount);
    expect((await get(more[3])).text).toContain(expected.found);
  });

  it('Arabic letters stay joined, the footer is hardly stretched, and pages fit a phone', async () => {
    const { page, complaints, close } = await openPage(
      browser,
      { ...STILL, viewport: { width: 360, height: 740 } },
      // Opening the next page aborts the requests of this one.
      /net::ERR_ABORTED/,
    );
    for (const address of ['/', expected.article, expected.product, '/contacts']) {
      await page.goto(site.url + address);
      await hydrated(page);
      const found = await page.evaluate(() => {
        const text = document.querySelector<SVGTextElement>('footer svg text');
        const shown = text?.textLength.baseVal.value ?? 0;
        text?.removeAttribute('textLength');
        return {
          digits: getComputedStyle(document.documentElement).getPropertyValue('--digits'),
          isTooWide: document.documentElement.scrollWidth > window.innerWidth,
          spacings: Array.from(
            document.querySelectorAll('h1, h2, h3'),
            title => getComputedStyle(title).letterSpacing,
          ),
          // How far the footer's letters are stretched: 1 is their natural width.
          stretch: shown / (text?.getComputedTextLength() ?? 1),
        };
      });
      expect(found).toMatchObject({ digits: expected.digits, isTooWide: false });
      expect(Math.abs(found.stretch - 1)).toBeLessThan(0.2);
      if (expected.language === 'ar-EG') expect(new Set(found.spacings)).toEqual(new Set(['normal']));
    }
    expect(complaints).toEqual([]);
    await close();
  });

  it('feeds, sitemap, security.txt and share cards show only their brand', async () => {
    for (const address of [
      '/blog/feed.xml',
      '/blog/atom.xml',
      '/blog/feed.json',
      '/sitemap.xml',
      '/robots.txt',
      '/.well-known/security.txt',
    ]) {
      const { status, text } = await get(address);
      expect([address, status, tracesIn(text)]).toEqual([address, 200, []]);
    }
    expect((await get('/blog/feed.xml')).text).toContain(expected.siteName);
    for (const address of ['/', expected.article, expected.product]) {
      const [, card = ''] = /property="og:image" content="([^"]+)"/.exec((await get(address)).text) ?? [];
      const { pathname, search } = new URL(card.replaceAll('&amp;', '&'), site.url);
      const { status, headers, body } = await sendRequest(site.url, pathname + search);
      expect([status, headers['content-type']]).toEqual([200, 'image/jpeg']);
      expect([address, await foreignPixels(body)]).toEqual([address, 0]);
    }
  });

  it('a 503 page without any content shows only its brand', async () => {
    const env = { CONTENT_BASE_URL: 'http://127.0.0.1:24999', SITE_LOCALE: expected.language };
    const alone = await brand.start({ env, unready: true });
    try {
      const { status, text } = await sendRequest(alone.url, '/', { headers: AS_BROWSER });
      expect([status, tracesIn(text)]).toEqual([503, []]);
      for (const part of expected.logo) expect(text).toContain(part);
    } finally {
      await alone.dispose();
    }
  });

  it('e-mails use the language of the site, without a trace of the first brand', () => {
    const { mailFor } = createRequire(import.meta.url)('../../cms/src/site/forms/mail-texts.js') as {
      mailFor(
        message: object,
        settings: object,
        site: object,
      ): { subject: string; text: string; html?: string };
    };
    const settings = { mailTo: 'office@example.com', mailFrom: 'site@example.com', url: site.url };
    const siteOfMail = {
      language: expected.language,
      name: expected.siteName,
      logo: { url: '/uploads/a.png', width: 300, height: 60 },
    };
    const sender = { email: 'a@example.com', language: expected.language };
    const mails = [
      { form: 'contact', name: 'A', ...sender, message: 'B' },
      { form: 'subscribe', ...sender, confirmUrl: 'https://www.example.com/a' },
    ].map(message => mailFor(message, settings, siteOfMail));
    expect(mails.map(mail => tracesIn(JSON.stringify(mail)))).toEqual([[], []]);
    for (const { html } of mails)
      expect(html).toContain(`alt="${expected.siteName}" width="140" height="28"`);
  });
});
