import { describe, expect } from 'vitest';
import de from '../../site/words/de.ts';
import en from '../../site/words/en.ts';
import { capture } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';

const CONFIGURED = { SITE_LOCALE: 'en-GB', SITE_TIME_ZONE: 'UTC', SITE_CURRENCY: 'USD' };

/** The recorded settings with other values. */
function settingsWith(values: Record<string, unknown>): object {
  const settings = structuredClone(capture('v4', 'settings.json')) as {
    data: { attributes: Record<string, unknown> };
  };
  Object.assign(settings.data.attributes, values);
  return settings;
}

describe('the language of the settings', () => {
  it('the language of the settings overrides the configuration for words, direction, dates and amounts', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on(
      '/api/settings',
      settingsWith({ language: 'de-DE', timeZone: 'Europe/Berlin', currency: 'EUR' }),
    );
    const site = await startOwnSite({ env: CONFIGURED });
    const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
    expect(text).toMatch(/^<!doctype html><html lang="de-DE" dir="ltr">/);
    expect(text).toContain(`>${de.skipToContent}<`);
    expect(text).toMatch(/\d[\u00a0 ]€/);
    expect(parsePage(text).data?.language).toMatchObject({
      catalogue: 'de',
      locale: 'de-DE',
      timeZone: 'Europe/Berlin',
      currency: 'EUR',
    });
    expect((await sendRequest(site.url, '/blog/feed.xml')).text).toContain('<language>de-DE</language>');
  });

  it('a right-to-left language in the settings makes the site right-to-left', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/settings', settingsWith({ language: 'ar-EG' }));
    const site = await startOwnSite({ env: CONFIGURED });
    const { text } = await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    expect(text).toMatch(/^<!doctype html><html lang="ar-EG" dir="rtl">/);
  });

  it.for([
    ['language', 'fr-FR', 'the words (en, de, ar)'],
    ['language', 'no locale!', 'the words (en, de, ar)'],
    ['timeZone', 'Berlin', 'Europe/Berlin'],
    ['currency', '€', 'three letters such as EUR'],
  ] as const)(
    'an unusable value in the settings (%s: %s) is logged, and the configuration applies',
    async ([field, value, wanted], { backend, startOwnSite }) => {
      backend.on('/api/settings', settingsWith({ [field]: value }));
      const site = await startOwnSite({ env: CONFIGURED });
      const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
      expect(text).toMatch(/^<!doctype html><html lang="en-GB" dir="ltr">/);
      expect(parsePage(text).data?.language).toMatchObject({ timeZone: 'UTC', currency: 'USD' });
      expect(site.log.filter(line => line.type === 'settings' && line.field === field)).toEqual([
        expect.objectContaining({ code: 'content-value-left-out', reason: expect.stringContaining(wanted) }),
      ]);
    },
  );

  it('a changed language of the settings applies to stored pages, too', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite({ env: { ...CONFIGURED, WEBHOOK_SECRET: 'secret-of-the-webhook' } });
    const read = async () => (await sendRequest(site.url, '/about', { headers: AS_BROWSER })).text;
    expect(await read()).toContain('<html lang="en-GB"');
    backend.on('/api/settings', settingsWith({ language: 'de-DE' }));
    const event = { event: 'entry.update', model: 'settings', entry: { id: 1 } };
    const answer = await sendRequest(site.url, '/webhooks/content', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret-of-the-webhook' },
      body: JSON.stringify(event),
    });
    expect(answer.status).toBe(200);
    expect(await read()).toContain('<html lang="de-DE"');
  });
});

describe('words of the settings', () => {
  const labels = [
    { name: 'menu', text: 'All topics' },
    { name: 'countries_one', text: 'only {count} country' },
    { name: 'countries', text: '{count} places' },
    { name: 'no-such-word', text: 'x' },
    { name: 'page', text: 'Sheet {number}' },
    { name: 'blog', text: '' },
    { name: 'searchTitleOf', text: 'Found' },
    { name: 'countries_other', text: 'many countries' },
  ];

  it('words of the settings replace those of the catalogue, and unusable ones are logged', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/settings', settingsWith({ labels }));
    const site = await startOwnSite({ env: CONFIGURED });
    const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
    expect(text).toContain('All topics');
    expect(text).not.toContain(`>${en.menu}<`);
    // The browser gets these words with the page.
    expect(parsePage(text).data?.language.replaced).toEqual({
      menu: 'All topics',
      countries: '{count} places',
      countries_one: 'only {count} country',
    });
    const reasons = site.log
      .filter(line => line.type === 'settings' && String(line.field).startsWith('labels'))
      .map(({ field, reason }) => `${field}: ${reason}`);
    expect(reasons).toEqual([
      "labels[3]: 'no-such-word' is not used: no word of the interface has this name",
      "labels[4]: 'Sheet {number}' is not used: nothing fills {number}, it may have {page}",
      "labels[5]: 'blog' is not shown: a word of the interface needs a name and a text",
      "labels[6]: 'Found' is not used: 'searchTitleOf' needs {query}",
      "labels[7]: 'many countries' is not used: 'countries_other' needs {count}",
    ]);
  });
});
