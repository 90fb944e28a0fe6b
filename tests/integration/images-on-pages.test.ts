import { describe, expect } from 'vitest';
import { capture, type FakeBackend } from '../support/fake-backend.ts';
import { imageTest as it, picture } from '../support/image-test.ts';
import { sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

/** The cover of a recorded article. */
interface Cover {
  cover: { data: { attributes: { url: string; formats: { medium: { url: string } } } } };
}

describe('a page', () => {
  const article = '/blog/guides/reading-a-fee-statement';
  const media = (attributes: object) => ({
    data: { id: 1, attributes: { alternativeText: 'A', ...attributes } },
  });

  /** Shows the recorded article with another cover and body. */
  async function pageWith(
    backend: FakeBackend,
    cdn: string,
    changes: Record<string, unknown>,
    env: Record<string, string> = {},
  ): Promise<string> {
    const body = capture('v5-as-v4', 'article-by-slug.json') as {
      data: { attributes: Record<string, unknown> }[];
    };
    const row = structuredClone(body.data[0]);
    if (!row) throw new Error('There is no recorded article');
    Object.assign(row.attributes, changes);
    const category = row.attributes.category as { data: { attributes: { slug: string } } };
    backend.on('/api/articles', (_req, res) =>
      res
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ data: [row], meta: {} })),
    );
    const own = await startSite({
      contentBaseUrl: backend.url,
      env: { MEDIA_ORIGINS: cdn, PUBLIC_URL: 'https://www.example.com', ...env },
    });
    try {
      const answer = await sendRequest(
        own.url,
        `/blog/${category.data.attributes.slug}/${String(row.attributes.slug)}`,
        { headers: { accept: 'text/html' } },
      );
      expect(answer.status, article).toBe(200);
      return answer.text;
    } finally {
      await own.close();
    }
  }

  const imagesOf = (html: string) => html.match(/<(?:img|source)\b[^>]*>/g) ?? [];

  it('a picture that the site cannot scale uses the formats of the backend, and a cover is loaded first', async ({
    backend,
    elsewhere,
  }) => {
    const format = (width: number) => ({ url: `/uploads/${width}_a.webp`, width, height: width / 2 });
    const html = await pageWith(backend, elsewhere.url, {
      cover: media({
        url: '/uploads/a.webp',
        width: 2000,
        height: 1000,
        formats: { large: format(1000), small: format(500) },
      }),
    });
    const cover = imagesOf(html).find(tag => tag.includes('/uploads/a.webp'));
    expect(cover).toContain(
      'srcSet="/uploads/500_a.webp 500w, /uploads/1000_a.webp 1000w, /uploads/a.webp 2000w"',
    );
    expect(cover).toMatch(/sizes="[^"]+"/);
    expect(cover).toMatch(/width="2000" height="1000".*fetchPriority="high"/i);
    expect(cover).not.toContain('loading=');
    expect(imagesOf(html).some(tag => tag.startsWith('<source') && tag.includes('a.webp'))).toBe(false);
  });

  it('PNG and JPEG pictures are offered as AVIF, WebP and unscaled, whatever formats the backend has', async ({
    backend,
    photo,
    serve,
    elsewhere,
  }) => {
    serve('/uploads/inside.png', photo);
    const html = await pageWith(backend, elsewhere.url, {
      cover: media({
        ...{ url: `${elsewhere.url}/b.jpg`, width: 1000, height: 500 },
        formats: { small: { url: `${elsewhere.url}/small_b.jpg`, width: 500, height: 250 } },
      }),
      body: 'Text\n\n![Inside](/uploads/inside.png "Caption")\n\n![Drawn](/uploads/drawn.svg)',
    });
    const made = `/images/${elsewhere.url.replace('://', '/')}/b.jpg`;
    const [avif, webp, cover] = imagesOf(html).filter(tag => tag.includes('b.jpg'));
    expect(avif).toContain(
      `type="image/avif" srcSet="${[320, 640, 960].map(width => `${made}/${width}.avif ${width}w`).join(', ')}, ${made}/1280.avif 1000w" sizes="`,
    );
    expect(webp).toContain(`type="image/webp" srcSet="${made}/320.webp 320w`);
    expect(cover).toContain(`src="${elsewhere.url}/b.jpg"`);
    expect(html).not.toContain('small_b.jpg');
    // The text has no picture size, so the site has read it from the file.
    const inside = imagesOf(html).find(tag => tag.includes('src="/uploads/inside.png"'));
    expect(inside).toMatch(/width="1000" height="500".*loading="lazy" decoding="async"/);
    expect(imagesOf(html).filter(tag => tag.includes('inside.png'))).toHaveLength(3);
    expect(imagesOf(html).filter(tag => tag.includes('drawn.svg'))).toHaveLength(1);
  });

  it('a picture with Strapi formats is offered as AVIF and WebP, also in the payload', async ({
    serve,
    startOwnSite,
  }) => {
    const { data } = capture('v5-as-v4', 'article-by-slug-deep.json') as { data: [{ attributes: Cover }] };
    const { url, formats } = data[0].attributes.cover.data.attributes;
    const jpeg = await picture(1200, 675, 'jpeg');
    serve(url, jpeg);
    serve(formats.medium.url, await picture(750, 422, 'jpeg'));
    const own = await startOwnSite();
    const get = (address: string) => sendRequest(own.url, address, { headers: { accept: 'text/html' } });
    const { text } = await get('/blog/guides/accepting-cards-in-spain');
    const cover = imagesOf(text)
      .filter(tag => tag.includes('cover_wide'))
      .slice(0, 3);
    expect(cover.map(tag => /type="([^"]*)"/.exec(tag)?.[1])).toEqual([
      'image/avif',
      'image/webp',
      undefined,
    ]);
    const payload = await get('/blog/guides/accepting-cards-in-spain/_payload.json');
    expect(payload.text).toMatch(
      new RegExp(`"src":"${url}","alt":"[^"]*","width":1200,"height":675,"formats":\\[\\],"scaled":true`),
    );
    const sizes = new Map<string, number>();
    for (const format of ['avif', 'webp']) {
      const [address = ''] =
        text.match(new RegExp(`/images/uploads/[^ "]*cover_wide[^ "]*/960\\.${format}`)) ?? [];
      const { status, headers, body } = await get(address);
      expect([status, headers['content-type']]).toEqual([200, `image/${format}`]);
      sizes.set(format, body.byteLength);
    }
    const unscaled = (await get(formats.medium.url)).body.byteLength;
    expect(sizes.get('avif')).toBeLessThan(unscaled);
  });

  it('a file address copied from the admin panel is shown under the site’s address', async ({
    backend,
    elsewhere,
    photo,
    serve,
  }) => {
    serve('/uploads/copied.png', photo);
    const admin = 'https://admin.example.com/edit/uploads';
    const html = await pageWith(
      backend,
      elsewhere.url,
      {
        body: [
          ...[`![Markdown](${admin}/copied.png)`, `<p><img src="${admin}/copied.png?x=1" alt="HTML"></p>`],
          ...[`[List](${admin}/list.pdf)`, '![Other](https://other.example.com/uploads/copied.png)'],
        ].join('\n\n'),
      },
      { CONTENT_PUBLIC_URL: 'https://admin.example.com/edit' },
    );
    for (const alt of ['Markdown', 'HTML'])
      expect(html).toMatch(new RegExp(`<img[^>]* src="/uploads/copied.png"[^>]* alt="${alt}"`));
    expect(imagesOf(html).filter(tag => /avif.*copied/.test(tag))).toHaveLength(2);
    expect(html).toContain('href="/uploads/list.pdf"');
    expect(html).not.toContain('admin.example.com');
    // A picture of an unknown site is not shown.
    expect(html).not.toContain('other.example.com/uploads/copied.png"');
  });

  it('a picture too large to scale is offered unscaled', async ({ backend, elsewhere }) => {
    const cover = { url: '/uploads/large.png', width: 4000, height: 3000, formats: null };
    for (const [size, tags] of [
      [20_971.52, 3],
      [20_971.53, 1],
    ] as const) {
      const html = await pageWith(backend, elsewhere.url, { cover: media({ ...cover, size }) });
      expect([size, imagesOf(html).filter(tag => tag.includes('large.png')).length]).toEqual([size, tags]);
    }
  });

  it('file addresses in an editor’s JSON-LD become absolute', async ({ backend }) => {
    const landing = capture('v5-as-v4', 'landing.json') as { data: { attributes: Record<string, unknown> } };
    landing.data.attributes.schema1 = {
      '@type': 'Organization',
      logo: '/uploads/l.svg',
      url: '/about',
      image: [{ url: '/uploads/a.png' }],
    };
    backend.on('/api/landing', landing);
    const env = { PUBLIC_URL: 'https://www.example.com' };
    const own = await startSite({ contentBaseUrl: backend.url, env });
    const { text } = await sendRequest(own.url, '/', { headers: { accept: 'text/html' } });
    await own.close();
    expect(text).toContain(
      '{"@type":"Organization","logo":"https://www.example.com/uploads/l.svg","url":"/about","image":[{"url":"https://www.example.com/uploads/a.png"}]}',
    );
  });

  it('JSON-LD and the head of a page contain the absolute address of its picture', async ({
    backend,
    elsewhere,
  }) => {
    const own = await pageWith(backend, elsewhere.url, {
      cover: media({ url: '/uploads/a.png', width: 1600, height: 900, formats: null }),
    });
    expect(own).toContain('"image":"https://www.example.com/uploads/a.png"');
    expect(own).toContain(
      '<meta property="og:image" content="https://www.example.com/images/uploads/a.png/share.jpg">',
    );
    const foreign = await pageWith(backend, elsewhere.url, {
      cover: media({ url: `${elsewhere.url}/c.png`, width: 1600, height: 900 }),
    });
    expect(foreign).toContain(`"image":"${elsewhere.url}/c.png"`);
  });
});
