import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import de from '../../site/words/de.ts';
import en from '../../site/words/en.ts';
import { payloadPath } from '../support/payload-path.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';

let site: SampleSite;

beforeAll(async () => {
  const env = { SITE_LOCALE: 'de-DE', SITE_TIME_ZONE: 'Europe/Berlin', SITE_CURRENCY: 'EUR' };
  site = await startSampleSite({ env: { ...env, PUBLIC_URL: 'https://www.example.com' } });
});
afterAll(() => site.close());

const HOST = { host: 'www.example.com', 'x-forwarded-proto': 'https' };
const read = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(site.url + path, { ...init, headers: { ...HOST, ...init.headers } });
  return { status: response.status, text: await response.text() };
};
const post = (values: Record<string, string>, headers: Record<string, string>) =>
  read('/api/email/send', { method: 'POST', headers, body: new URLSearchParams(values) });

/** @returns the visible texts of a document, and its names for assistive technology. */
function wordsOf(html: string): string[] {
  const body = html.slice(html.indexOf('<body'), html.indexOf('<script type="application/json"'));
  return [...body.matchAll(/>([^<>]+)</g), ...body.matchAll(/(?:aria-label|title)="([^"]+)"/g)].map(
    ([, text = '']) => text.trim(),
  );
}

describe('a site in German', () => {
  it('a site in German declares its language in its documents', async () => {
    const { text } = await read('/');
    expect(text).toMatch(/^<!doctype html><html lang="de-DE" dir="ltr">/);
    for (const word of [de.menu, de.skipToContent, de.subscribe, '32 Länder', de.newsByEmail])
      expect(wordsOf(text), word).toContain(word);
  });

  it('a site in German has no English catalogue word on any page', async () => {
    const foreign = Object.entries(en).flatMap(([name, text]) =>
      typeof text === 'string' && text !== de[name as 'menu'] ? [text] : [],
    );
    for (const path of [...Object.values(SAMPLE_PATHS), '/blog/guides/no-such-article']) {
      const words = new Set(wordsOf((await read(path)).text));
      // The sample content is in English, and uses some of these words.
      const content = (await read(payloadPath(path))).text;
      const left = foreign.filter(text => words.has(text) && !content.includes(text));
      expect(left, path).toEqual([]);
    }
  });

  it('a site in German writes dates and amounts in German style', async () => {
    const { text } = await read('/blog');
    expect(text).toMatch(
      /<time dateTime="[\d-]+">\d{1,2}\. (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember) \d{4}</,
    );
    expect((await read('/')).text).toMatch(/\d (?:Mio\.|Mrd\.) €/);
  });

  it('a site in German answers errors, forms and the feed in German', async () => {
    const missing = await read('/no-such-page');
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('<title>Seite nicht gefunden – ');
    expect(missing.text).toContain('Seite nicht gefunden: /no-such-page');
    const json = await read('/no-such-page', { headers: { accept: 'application/json' } });
    expect(JSON.parse(json.text)).toMatchObject({
      statusMessage: de.pageNotFound,
      message: 'Seite nicht gefunden: /no-such-page',
    });
    const wrong = await post({ form: 'subscribe', email: 'x' }, { accept: 'application/json' });
    expect(wrong.status).toBe(422);
    expect(JSON.parse(wrong.text)).toMatchObject({
      message: de.checkTyped,
      errors: { email: expect.stringContaining('vollständige E-Mail-Adresse') },
    });
    const page = await post({ form: 'subscribe', email: 'x', page: '/' }, { accept: 'text/html' });
    expect(wordsOf(page.text)).toContain(de.checkTyped);
    expect((await read('/blog/feed.xml')).text).toContain('<language>de-DE</language>');
  });
});
