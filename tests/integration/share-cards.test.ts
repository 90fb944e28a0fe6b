import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import type { Row } from '../support/editable-backend.ts';
import { picture } from '../support/image-test.ts';
import { SPAIN, TOKEN } from '../support/invalidation-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { readsOf } from '../support/reads-of.ts';
import { startSampleSite } from '../support/sample-site.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { shareTest as it, media, metaOf } from '../support/share-test.ts';

/** Largest picture that WhatsApp shows, in bytes. */
const MAX_BYTES = 300_000;
const KEPT = expect.stringMatching(/^public, max-age=31536000, s-maxage=86400, immutable$/);

async function expectPicture(answer: Answer): Promise<void> {
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect(answer.body.length).toBeLessThan(MAX_BYTES);
  const { format, width, height } = await sharp(answer.body).metadata();
  expect([format, width, height]).toEqual(['jpeg', 1200, 630]);
}

const bytesOfDefault = (distDir: string) => readFile(path.join(distDir, 'server/cards/default.jpg'));

describe('links to an article without a picture', () => {
  it('a link to an article without a picture shows a card, drawn once and stored', async ({
    edit,
    get,
    sharedBy,
    fetchPicture,
    cardCount,
    ops,
  }) => {
    await edit({ title: 'Płatności w Hiszpanii' });
    expect(metaOf((await get(SPAIN)).text)).toMatchObject({
      'og:image:type': 'image/jpeg',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'Płatności w Hiszpanii',
      'twitter:card': 'summary_large_image',
    });
    const before = await cardCount();
    const address = await sharedBy(SPAIN);
    const answers = await Promise.all([1, 2, 3].map(() => fetchPicture(address)));
    for (const answer of answers) {
      await expectPicture(answer);
      expect(answer.headers['cache-control']).toEqual(KEPT);
      expect(answer.headers['surrogate-key']).toMatch(/\barticles-/);
      expect(answer.body).toEqual(answers[0]?.body);
    }
    expect(await cardCount()).toBe(before + 1);
    const hits = async () =>
      Number(
        /^site_share_card_answers_total\{outcome="hit"\} (\d+)$/m.exec(
          (await ops('GET', '/metrics', TOKEN)).text,
        )?.[1] ?? 0,
      );
    const hitsBefore = await hits();
    expect((await fetchPicture(address)).body).toEqual(answers[0]?.body);
    expect(await hits()).toBe(hitsBefore + 1);
  });

  it('a changed title gives its article another card with another address', async ({
    edit,
    sharedBy,
    fetchPicture,
  }) => {
    await edit({ title: 'Before' });
    const before = await sharedBy(SPAIN);
    const first = await fetchPicture(before);
    await edit({ title: 'After' });
    const after = await sharedBy(SPAIN);
    expect(after).not.toBe(before);
    const second = await fetchPicture(after);
    expect(second.body).not.toEqual(first.body);
    // The former address serves the new card, without caching.
    const old = await fetchPicture(before);
    expect(old.body).toEqual(second.body);
    expect(old.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  });

  it('a stored card is served without loading its page, until an event about that page', async ({
    site,
    edit,
    announce,
    backend,
    sharedBy,
    fetchPicture,
  }) => {
    await edit({ title: 'Stored' });
    const address = await sharedBy(SPAIN);
    const card = await fetchPicture(address);
    expect(await readsOf(site, () => fetchPicture(address))).toEqual({});
    const asked = { headers: { 'if-none-match': String(card.headers.etag) } };
    expect((await sendRequest(site.url, address, asked)).status).toBe(304);
    const head = await sendRequest(site.url, address, { method: 'HEAD' });
    expect(head.headers['content-length']).toBe(String(card.body.length));

    await edit({ title: 'Another' });
    expect((await fetchPicture(address)).body.equals(card.body)).toBe(false);
    const articles = backend.rows('article');
    const at = articles.findIndex(({ attributes }) => attributes.slug === 'accepting-cards-in-spain');
    const [article] = articles.splice(at, 1);
    await announce('entry.delete', 'article', article as Row);
    expect((await fetchPicture(address)).status).toBe(404);
    expect(await readsOf(site, () => fetchPicture(address))).toEqual({});
    articles.splice(at, 0, article as Row);
    await announce('entry.publish', 'article', article as Row);
    expect((await fetchPicture(address)).status).toBe(200);
  });

  it('a card shows its page’s drawing in the colours of the brand', async ({ onTestFinished }) => {
    const sample = await startSampleSite();
    onTestFinished(() => sample.close());
    const page = '/blog/guides/collecting-in-the-euro-area';
    const { text } = await sendRequest(sample.url, page, { headers: AS_BROWSER });
    const [, address = ''] = /property="og:image" content="[^"]*?(\/images\/cards[^"]*)"/.exec(text) ?? [];
    const card = await sendRequest(sample.url, address.replaceAll('&amp;', '&'));
    const { data } = await sharp(card.body).raw().toBuffer({ resolveWithObject: true });
    const tokens = await readFile(path.resolve(import.meta.dirname, '../../site/brand/tokens.css'), 'utf8');
    const [, accent = ''] = /--accent: light-dark\(#([0-9a-f]{6}),/.exec(tokens) ?? [];
    const wanted = [...Buffer.from(accent, 'hex')];
    expect(wanted).toHaveLength(3);
    let found = 0;
    for (let at = 0; at < data.length; at += 3) {
      const isInDrawing = (at / 3) % 1200 >= 720;
      if (isInDrawing && wanted.every((part, channel) => Math.abs(part - (data[at + channel] ?? 0)) < 8))
        found += 1;
    }
    expect(found).toBeGreaterThan(2_000);
  });

  it('an article with an SVG or small picture shows a card', async ({ edit, sharedBy }) => {
    for (const cover of [media('/uploads/cover.svg', 1600, 900), media('/uploads/small.png', 599, 400)]) {
      await edit({ cover });
      expect(await sharedBy(SPAIN)).toMatch(/^\/images\/cards\//);
    }
  });
});

describe('links to an article with a picture', () => {
  it.for([
    ['a photo', 1800, 1200, 'jpeg'],
    ['a tall PNG', 800, 1600, 'png'],
    ['noise, which hardly compresses', 1200, 630, 'png'],
  ] as const)(
    'a link to an article with a picture shows the middle of %s',
    async ([, width, height, format], { backend, edit, get, sharedBy, fetchPicture }) => {
      const src = `/uploads/shared-${width}.${format === 'png' ? 'png' : 'jpg'}`;
      const bytes = await picture(width, height, format);
      backend.on(src, (_req, res) => res.writeHead(200, { 'Content-Type': `image/${format}` }).end(bytes));
      await edit({ cover: media(src, width, height) });
      expect(metaOf((await get(SPAIN)).text)['og:image:alt']).toBe('Cards on a counter');
      const address = await sharedBy(SPAIN);
      expect(address).toBe(`/images${src}/share.jpg`);
      await expectPicture(await fetchPicture(address));
    },
  );

  it('a transparent share image gets a paper-coloured background, and an animated one shows its first frame', async ({
    backend,
    edit,
    sharedBy,
    fetchPicture,
  }) => {
    const clear = { width: 1200, height: 630, channels: 4, background: '#00000000' } as const;
    const frames = [0, 255].map(red => ({
      create: { width: 1200, height: 630, channels: 3 as const, background: { r: red, g: 0, b: 0 } },
    }));
    const files = {
      png: await sharp({ create: clear }).png().toBuffer(),
      gif: await sharp(await Promise.all(frames.map(frame => sharp(frame).png().toBuffer())), {
        join: { animated: true },
      })
        .gif()
        .toBuffer(),
    };
    const colours = { png: [250, 247, 240], gif: [0, 0, 0] };
    for (const type of ['png', 'gif'] as const) {
      const src = `/uploads/special.${type}`;
      backend.on(src, (_req, res) =>
        res.writeHead(200, { 'Content-Type': `image/${type}` }).end(files[type]),
      );
      await edit({ cover: media(src, 1200, 630) });
      const answer = await fetchPicture(await sharedBy(SPAIN));
      await expectPicture(answer);
      const { channels } = await sharp(answer.body).stats();
      expect([type, channels.map(({ mean }) => Math.round(mean))]).toEqual([type, colours[type]]);
    }
  });

  it('a broken or missing picture is replaced by the default picture, and logged', async ({
    backend,
    site,
    edit,
    sharedBy,
    fetchPicture,
  }) => {
    backend.on('/uploads/broken.png', (_req, res) =>
      res.writeHead(200, { 'Content-Type': 'image/png' }).end('no picture'),
    );
    for (const name of ['broken', 'gone']) {
      await edit({ cover: media(`/uploads/${name}.png`, 1200, 630) });
      const answer = await fetchPicture(await sharedBy(SPAIN));
      await expectPicture(answer);
      expect(answer.body).toEqual(await bytesOfDefault(site.site.distDir));
      expect(answer.headers['cache-control']).toBe('public, max-age=60');
      const line = site.log.findLast(({ code }) => code === 'media-share-picture-failed');
      expect(line).toMatchObject({ level: 'warn', address: expect.stringContaining(name) });
    }
  });
});

describe('a card that cannot be drawn', () => {
  const CHINESE = '西班牙的付款方式';

  it('a card that cannot be drawn is replaced by the default picture of the build', async ({
    site,
    edit,
    sharedBy,
    fetchPicture,
  }) => {
    await edit({ title: CHINESE });
    const answer = await fetchPicture(await sharedBy(SPAIN));
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'public, max-age=60']);
    expect(answer.body).toEqual(await bytesOfDefault(site.site.distDir));
    const line = site.log.findLast(({ code }) => code === 'media-share-picture-failed');
    expect(line).toMatchObject({ level: 'warn', title: CHINESE, reason: expect.stringContaining('No font') });
    expect(line).not.toHaveProperty('err');
  });

  it('a card that cannot be drawn is replaced by the picture of the settings, if any', async ({
    backend,
    site,
    edit,
    setDefault,
    sharedBy,
    fetchPicture,
  }) => {
    const bytes = await picture(1300, 700);
    backend.on('/uploads/default.png', (_req, res) =>
      res.writeHead(200, { 'Content-Type': 'image/png' }).end(bytes),
    );
    await setDefault(media('/uploads/default.png', 1300, 700));
    await edit({ title: CHINESE });
    const answer = await fetchPicture(await sharedBy(SPAIN));
    await expectPicture(answer);
    expect(answer.body).not.toEqual(await bytesOfDefault(site.site.distDir));
    // Pages that show no entry use this picture.
    const ofSettings = '/images/uploads/default.png/share.jpg';
    for (const page of ['/blog', '/search?q=cards']) expect(await sharedBy(page)).toBe(ofSettings);
    expect((await fetchPicture(ofSettings)).body).toEqual(answer.body);
    expect(await sharedBy('/about')).toMatch(/^\/images\/cards\//);
  });

  it('the default picture is served during an outage for an unknown page', async ({
    backend,
    site,
    fetchPicture,
  }) => {
    backend.on('/api/pages', (_req, res) => res.writeHead(500).end());
    const answer = await fetchPicture('/images/card.jpg?page=%2Fnever-asked-for&v=x');
    expect([answer.status, answer.body]).toEqual([200, await bytesOfDefault(site.site.distDir)]);
  });
});

describe('the address of a card', () => {
  it.for([
    ['/images/card.jpg', 400],
    ['/images/card.jpg?page=about', 400],
    ['/images/card.jpg?page=/about%3Fpage=2', 400],
    ['/images/card.jpg?page=/about&page=/blog', 400],
    [`/images/card.jpg?page=/${'a'.repeat(1_000)}`, 400],
    ['/images/card.jpg?page=/no-such-page', 404],
    ['/images/card.jpg?page=/images/card.jpg', 404],
    ['/images/card.jpg?page=/ABOUT', 404],
    ['/images/cards/about', 400],
    ['/images/cards/no-such-page/card.jpg', 404],
  ] as const)('the card address %s is a %d', async ([address, status], { fetchPicture, cardCount }) => {
    const before = await cardCount();
    const answer = await fetchPicture(address);
    expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
    expect(await cardCount()).toBe(before);
  });

  it('all versions and list pages of an address share one card', async ({
    fetchPicture,
    sharedBy,
    cardCount,
  }) => {
    const card = await fetchPicture(await sharedBy('/blog/guides'));
    const count = await cardCount();
    for (const version of ['1', '2', '%00', ''])
      expect((await fetchPicture(`/images/card.jpg?page=/blog/guides&v=${version}`)).body).toEqual(card.body);
    expect(await cardCount()).toBe(count);
  });

  it('the card of the search page does not show the query', async ({ sharedBy }) => {
    expect(await sharedBy('/search?q=cards')).toBe(await sharedBy('/search?q=money'));
  });
});

describe('a page that is no public page', () => {
  it('an error page has no picture', async ({ get }) => {
    const { status, text } = await get('/no-such-page');
    expect(status).toBe(404);
    expect(
      parsePage(text)
        .all('meta')
        .filter(({ properties }) => properties.property === 'og:image'),
    ).toEqual([]);
  });
});
