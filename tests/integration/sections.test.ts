import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capture, type FakeBackend, sendJson, startFakeBackend } from '../support/fake-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const ARTICLE = '/blog/engineering/what-a-page-can-show';
const POLICY = 'content-security-policy';
const UPLOADS = path.join(FIXTURE_CONTENT, 'uploads');

describe('the sample article with each kind of section', () => {
  let site: SampleSite;
  let html: string;
  beforeAll(async () => {
    site = await startSampleSite({ env: { CONTENT_TTL_MS: '3600000', EMBED_PROVIDERS: 'vimeo,youtube' } });
    html = (await sendRequest(site.url, ARTICLE, { headers: AS_BROWSER })).text;
  });
  afterAll(() => site.close());

  it.each([
    [
      'a callout in Markdown',
      /<div role="note" class="[^"]*" data-tone="warning"><p [^>]*>Warning<\/p><p>Use warnings/,
    ],
    [
      'a callout',
      /data-tone="tip"><p [^>]*>Tip<\/p><p><strong>Start with the reader<\/strong><\/p><p>Say what/,
    ],
    [
      'a quotation',
      /<blockquote><p>We used to.*?<\/p><p><cite><a href="\/about">Marta Lindqvist, Head of payouts<\/a>/,
    ],
    [
      'a picture that opens large',
      /<figure><a [^>]*href="\/uploads\/figure-payment-journey.svg"[^>]* data-large=""/,
    ],
    [
      'a film',
      /<video controls="" preload="none" playsInline="" aria-label="[^"]+" src="[^"]+" poster="[^"]+"><track kind="captions" src="\/uploads\/film-three-steps.vtt"\/><\/video>/,
    ],
    ['a sound', /<audio controls=""[^>]* src="\/uploads\/sound-three-notes.wav"><\/audio>/],
    ['a gallery', /<figure data-gallery="">(?:<figure>.*?<\/figure>){3}<figcaption>/],
    [
      'a bare address of a film',
      /<a [^>]*data-frame="https:\/\/player.vimeo.com\/video\/1084537\?dnt=1&amp;autoplay=1" href="https:\/\/vimeo.com\/1084537"/,
    ],
    [
      'a film with picture and title',
      /data-frame="https:\/\/www.youtube-nocookie.com\/embed\/aqz-KE-bpKQ\?autoplay=1"[^>]*><img [^>]*><span [^>]*>Big Buck Bunny, an open film</,
    ],
    ['a heading of a section in the table of contents', /href="#the-rest-is-markdown"/],
    [
      'code with a button',
      /<\/pre><button type="button" class="[^"]*" data-copy="Copied">Copy code<\/button>/,
    ],
  ])('the sample article shows %s', (_, expected) => {
    expect(html).toMatch(expected);
  });

  it('the sample article requests nothing from other sites before a click', () => {
    const addresses = [
      ...html.matchAll(
        /<(?:iframe|script|img|video|audio|source|track|link)\b[^>]*(?:src|href)="(https?:[^"]+)"/g,
      ),
    ];
    expect(
      addresses.map(([, address = '']) => new URL(address).origin).filter(origin => origin !== site.url),
    ).toEqual([]);
    expect(html).not.toContain('<iframe');
  });

  it.each(['/', ARTICLE, '/blog', '/contacts', '/no-such-page', '/no/such/page'])(
    'the Content-Security-Policy of %s allows the players',
    async address => {
      const { headers } = await sendRequest(site.url, address, { headers: AS_BROWSER });
      expect(headers[POLICY]).toContain(
        'frame-src https://player.vimeo.com https://www.youtube-nocookie.com;',
      );
      expect(headers['permissions-policy']).not.toMatch(/autoplay|encrypted-media/);
    },
  );

  it.each([
    ['film-three-steps.webm', 'video/webm'],
    ['sound-three-notes.wav', 'audio/wav'],
  ])('the video %s is served in byte ranges', async (name, type) => {
    const whole = await readFile(path.join(UPLOADS, name));
    for (const [range, from, until] of [
      ['bytes=0-99', 0, 100],
      ['bytes=1000-', 1000, whole.length],
      ['bytes=-10', whole.length - 10, whole.length],
    ] as const) {
      const { status, headers, body } = await sendRequest(site.url, `/uploads/${name}`, {
        headers: { range },
      });
      expect([status, headers['content-type'], headers['content-range']]).toEqual([
        206,
        type,
        `bytes ${from}-${until - 1}/${whole.length}`,
      ]);
      expect(body.equals(whole.subarray(from, until))).toBe(true);
    }
    const none = await sendRequest(site.url, `/uploads/${name}`, { headers: { range: 'bytes=9999999-' } });
    expect(none.status).toBe(416);
  });

  it('captions are served as WebVTT', async () => {
    const { status, headers } = await sendRequest(site.url, '/uploads/film-three-steps.vtt');
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/vtt/)]);
  });
});

describe('a backend with another format of sections', () => {
  let backend: FakeBackend;
  let site: RunningSite;
  const SECTIONS = [
    { __component: 'shared.quote', id: 1, body: 'Said', title: 'Ada', theme: 'dark' },
    { __component: 'shared.chart', id: 2, title: 'Growth', unit: 'EUR' },
  ];

  beforeAll(async () => {
    backend = await startFakeBackend();
    site = await startSite({
      contentBaseUrl: backend.url,
      env: { EMBED_PROVIDERS: 'off', OPS_TOKEN: 'a-token-of-the-operators' },
    });
  });
  afterAll(async () => {
    await site.close();
    await backend.close();
  });

  /** Responds with one page as Strapi does: a zone is sent if the query populates it. */
  function answer(values: object): void {
    const pages = capture('v5-as-v4', 'pages.json');
    const [row] = structuredClone(pages.data) as {
      id: number;
      documentId: string;
      attributes: Record<string, unknown>;
    }[];
    Object.assign(row?.attributes ?? {}, { slug: 'sections', body: 'Before', ...values });
    backend.on('/api/pages', (req, res) => {
      const isPopulated = decodeURIComponent(req.url ?? '').includes('populate[sections][populate]=*');
      const { sections, ...rest } = row?.attributes ?? {};
      const attributes = isPopulated ? { ...rest, sections } : rest;
      sendJson(res, 200, { data: [{ ...row, attributes }], meta: {} });
    });
  }

  it('unknown sections are read, and each omitted part is logged once and counted in the metrics', async () => {
    answer({ sections: SECTIONS });
    const { text } = await sendRequest(site.url, '/sections', { headers: AS_BROWSER });
    expect(text).toMatch(
      /<p>Before<\/p><blockquote><p>Said<\/p><p><cite>Ada<\/cite><\/p><\/blockquote><p>Growth<\/p>/,
    );
    await sendRequest(site.url, '/sections', { headers: AS_BROWSER });
    const lines = site.log.filter(({ field }) => field === 'body');
    expect(lines).toMatchObject([
      {
        code: 'content-value-left-out',
        type: 'pages',
        id: expect.any(String),
        reason: "section 2 ('shared.quote'): 'theme' is not shown",
      },
      {
        code: 'content-shown-as-text',
        type: 'pages',
        reason: expect.stringContaining("'shared.chart': the site has no such section"),
      },
    ]);
    const { text: metrics } = await sendRequest(site.opsUrl, '/metrics');
    expect(metrics).toMatch(/content_problems_total\{[^}]*kind="value-left-out"[^}]*\} 1/);
  });

  it('without video providers no page has a frame, and videos are links', async () => {
    answer({ slug: 'film', body: 'https://youtu.be/abc' });
    const { text, headers } = await sendRequest(site.url, '/film', { headers: AS_BROWSER });
    expect(text).toContain(
      '<p><a rel="noopener noreferrer" href="https://youtu.be/abc">https://youtu.be/abc</a></p>',
    );
    expect(headers[POLICY]).not.toContain('frame-src');
    expect(headers['permissions-policy']).toContain('autoplay=()');
  });
});
