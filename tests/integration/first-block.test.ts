import { describe, expect } from 'vitest';
import { capture } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';

const OF_THE_MAP = /map-header|<svg[^>]*viewBox="0 0 1000/;

interface Landing {
  data: { attributes: { headerBlock: string; countries_list: unknown } };
}

/** The recorded landing page with another first block. Its countries are on the map. */
function landingWith(header: object, countries?: readonly unknown[]): Landing {
  const landing = structuredClone(capture('v4', 'landing.json')) as unknown as Landing;
  const { attributes } = landing.data;
  attributes.headerBlock = JSON.stringify({ ...JSON.parse(attributes.headerBlock), ...header });
  if (countries) attributes.countries_list = { data: countries };
  return landing;
}

describe('the kind of the first block', () => {
  it.for<[string, object, readonly unknown[] | undefined, 'map' | 'plain']>([
    ['names none, and the map has a place', {}, undefined, 'map'],
    ['is null, and the map has a place', { kind: null }, undefined, 'map'],
    ['names none, and there are no countries', {}, [], 'plain'],
    [
      'names none, and no country has a place',
      {},
      [{ id: 1, attributes: { name: 'atlantis', title: 'Atlantis' } }],
      'plain',
    ],
    ['is plain, and the map has a place', { kind: 'plain' }, undefined, 'plain'],
  ])('the first block: its kind %s', async ([, header, countries, kind], { backend, startOwnSite }) => {
    backend.on('/api/landing', landingWith(header, countries));
    const site = await startOwnSite();
    const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
    const page = parsePage(text);
    expect(page.headings).toEqual(['Accept payments in 40 countries']);
    expect(page.inline).toEqual([]);
    expect(/role="img"/.test(text)).toBe(kind === 'map');
    // The script, the stylesheet and the data of the map.
    expect(OF_THE_MAP.test(text)).toBe(kind === 'map');
    const { text: payload } = await sendRequest(site.url, '/_payload.json');
    expect(payload.includes('"dots"')).toBe(kind === 'map');
    expect(site.log.filter(line => String(line.code).startsWith('content-'))).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ field: 'headerBlock.kind' })]),
    );
  });

  it('a map without countries is plain, and a log entry says so', async ({ backend, startOwnSite }) => {
    backend.on('/api/landing', landingWith({ kind: 'map' }, []));
    const site = await startOwnSite();
    const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
    expect(OF_THE_MAP.test(text)).toBe(false);
    expect(site.log.filter(line => line.field === 'headerBlock.kind')).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('countries_list') }),
    ]);
  });

  it('an unknown kind of the first block is logged and counts as none', async ({ backend, startOwnSite }) => {
    backend.on('/api/landing', landingWith({ kind: 'carousel' }));
    const site = await startOwnSite();
    const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
    expect(text).toMatch(OF_THE_MAP);
    expect(site.log.filter(line => line.field === 'headerBlock.kind')).toEqual([
      expect.objectContaining({
        code: 'content-value-left-out',
        type: 'landing',
        reason: expect.stringContaining('one of ticket, picture, film, figures, map, plain'),
      }),
    ]);
  });

  it.for([
    ['ticket', 'Tickets'],
    ['picture', 'Picture'],
    ['film', 'Film'],
    ['figures', 'Figures'],
  ])(
    'a first block of the kind %s without its content is plain, and a log entry says so',
    async ([kind, label], { backend, startOwnSite }) => {
      backend.on('/api/landing', landingWith({ kind }));
      const site = await startOwnSite();
      const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
      expect(text).toContain('el-header__plain');
      expect(site.log.filter(line => line.field === 'headerBlock.kind')).toEqual([
        expect.objectContaining({
          code: 'content-value-left-out',
          type: 'landing',
          reason: `the block is plain: '${label}' is empty`,
        }),
      ]);
    },
  );

  it('content of another kind is not shown, and a log entry names it', async ({ backend, startOwnSite }) => {
    const picture = { url: '/uploads/shelf.jpg', width: 1600, height: 1200 };
    const figures = [{ title: 'countries', text: '32' }];
    const own = { film: '/uploads/film.webm', captions: '/uploads/film.vtt' };
    backend.on('/api/landing', landingWith({ kind: 'film', picture, figures, ...own }));
    const site = await startOwnSite();
    const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
    expect(text).toMatch(/<video [^>]*src="\/uploads\/film.webm" poster="\/images\/uploads\/shelf.jpg/);
    expect(site.log.filter(line => String(line.field).startsWith('headerBlock.'))).toEqual([
      expect.objectContaining({ field: 'headerBlock.figures', reason: 'not shown: the kind is film' }),
    ]);
  });

  it('a video without a picture has the share image as its poster', async ({ backend, startOwnSite }) => {
    const landing = landingWith({ kind: 'film', film: '/uploads/film.webm' });
    const metaImage = { url: '/uploads/shared.jpg', width: 1200, height: 630 };
    Object.assign(landing.data.attributes, { seo: { id: 1, metaImage } });
    backend.on('/api/landing', landing);
    const site = await startOwnSite();
    const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
    expect(text).toContain('poster="/images/uploads/shared.jpg/960.webp"');
  });
});
