import { describe, expect, it } from 'vitest';
import { decodeArticle } from '../../server/decode/decode-blog.ts';
import { decoded, startDecoding } from '../support/decoding.ts';

describe('the SEO fields', () => {
  it('the SEO fields are decoded, and their picture is checked like any other', () => {
    const article = decoded(decodeArticle, {
      id: 1,
      title: 'T',
      slug: 't',
      publishedAt: '2025-05-06T07:08:09.000Z',
      seoTitle: ' For engines ',
      seoDescription: 'Short.',
      seoImage: { data: { id: 2, attributes: { url: '/uploads/a.png', width: 10, height: 20 } } },
    });
    expect(article.seo).toEqual({
      title: 'For engines',
      description: 'Short.',
      image: { src: '/uploads/a.png', alt: '', width: 10, height: 20, formats: [], scaled: true },
      canonical: null,
      robots: null,
    });
  });

  it('values of the SEO component take precedence over those of the entry', () => {
    const { seo } = decoded(decodeArticle, {
      id: 1,
      title: 'T',
      slug: 't',
      publishedAt: '2025-05-06T07:08:09.000Z',
      seoTitle: 'For engines',
      seoDescription: 'Short.',
      seo: {
        id: 7,
        metaTitle: 'Of the component',
        metaDescription: ' ',
        metaImage: { data: { id: 2, attributes: { url: '/uploads/b.png', width: 10, height: 20 } } },
        canonicalURL: 'https://elsewhere.example/t',
        metaRobots: 'NoIndex, follow, max-snippet : 20, noindex',
        keywords: 'a, b',
      },
    });
    expect(seo).toMatchObject({
      title: 'Of the component',
      description: 'Short.',
      image: { src: '/uploads/b.png' },
      canonical: 'https://elsewhere.example/t',
      robots: ['noindex', 'max-snippet:20'],
    });
  });

  it.for([
    [{ metaImage: { url: '/uploads/a.png', width: 400, height: 200 } }, 'seo.metaImage', '400 × 200'],
    [{ metaImage: { url: '/uploads/a.svg', width: 1200, height: 630 } }, 'seo.metaImage', 'PNG or JPEG'],
    [{ metaImage: { url: '/uploads/a.png', width: 600, height: 315 } }, null, ''],
    [{ metaImage: { url: '/uploads/a.png' } }, null, ''],
  ] as const)(
    'a picture that link previews cannot show is reported with its field: %o',
    ([seo, field, words]) => {
      const { context, problems } = startDecoding();
      decodeArticle({ id: 1, title: 'T', slug: 't', date: '2025-05-06', seo: { id: 7, ...seo } }, context);
      const found = problems.filter(({ reason }) => reason.includes('600 × 315'));
      expect(found.map(({ field }) => field)).toEqual(field === null ? [] : [field]);
      if (field !== null) expect(found[0]?.reason).toContain(words);
    },
  );

  it('unknown robots directives are reported and left out', () => {
    const { context, problems } = startDecoding();
    const row = {
      id: 1,
      title: 'T',
      slug: 't',
      date: '2025-05-06',
      seo: { id: 7, metaRobots: 'nope, none' },
    };
    const article = decodeArticle(row, context);
    expect(article.ok && article.value.seo.robots).toEqual(['none']);
    expect(problems).toMatchObject([
      { kind: 'value-left-out', field: 'seo.metaRobots', reason: expect.stringContaining("'nope'") },
    ]);
  });
});
