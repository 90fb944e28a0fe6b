import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { normalizedId } from '../../server/rich-text/tree/normalize-ids.ts';
import { eventually } from '../support/eventually.ts';
import { capture } from '../support/fake-backend.ts';
import { runs } from '../support/in-full.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { shownTest as it } from '../support/shown-content-test.ts';

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id ?? '');
/** @returns ids that occur twice on the page, and ids to which no link can point. */
const wrongIds = (html: string) =>
  idsOf(html).filter((id, index, all) => all.indexOf(id) !== index || id === '' || /\s/.test(id));

/** Words that become ids. Some are ids of the site, and some equal another word with a number. */
const word = fc.constantFrom(
  ...[
    'Fees',
    'fees',
    'Fees 1',
    'fees-1',
    'Faq',
    'Faq title',
    'Contact name',
    'contact-email',
    'Contacts',
    'Root',
  ],
  ...[
    'Category',
    'Subscribe',
    'subscribe-website-error',
    'Questions title',
    'block-1',
    'Content',
    'Übersicht',
    '_r_1_',
    'a b',
  ],
);
const part = fc.oneof(
  word.map(text => `## ${text}`),
  word.map(text => `<p id="${text}">A paragraph</p>`),
  word.map(text => `A [link](#${encodeURIComponent(text)})`),
  fc.constant('A note[^1]\n\n[^1]: The note'),
);
const richText = fc.array(part, { minLength: 1, maxLength: 5 }).map(parts => `Text\n\n${parts.join('\n\n')}`);
const questions = fc.array(fc.record({ question: word, answer: richText }), { maxLength: 3 });

describe('no id is on a page twice', () => {
  it('each id occurs once on a page with any text and questions', async ({ backend, startShown }) => {
    const site = await startShown();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(richText, questions, async (body, asked) => {
        number += 1;
        const slug = `page-${number}`;
        const row = { id: number, title: 'Page', slug, body, questions: asked, contactForm: true };
        backend.on('/api/pages', { data: [row] });
        const html = await site.html(`/${slug}`);
        expect(wrongIds(html)).toEqual([]);
        expect(html.match(/<h2 id=/g)?.length ?? 0).toBeGreaterThan(0);
      }),
      { numRuns: runs(60) },
    );
  });

  it('each id occurs once on an article with the questions of its category', async ({
    backend,
    startShown,
  }) => {
    const article = (capture('v5-as-v4', 'article-by-slug.json').data as { attributes: object }[])[0];
    const categories = capture('v5-as-v4', 'categories.json');
    for (const { attributes } of categories.data as { attributes: object }[])
      Object.assign(attributes, { questions: [{ question: 'Fees?', answer: '## Fees\n\n[Up](#fees)' }] });
    Object.assign(article?.attributes ?? {}, { body: '## Fees\n\nText\n\n## More', questions: [] });
    backend.on('/api/categories', categories);
    backend.on('/api/articles', { data: [article] });
    const site = await startShown();
    const { category, slug } = (article?.attributes ?? expect.fail('no article')) as {
      category: { data: { attributes: { slug: string } } };
      slug: string;
    };
    const html = await site.html(`/blog/${category.data.attributes.slug}/${slug}`);
    expect(wrongIds(html)).toEqual([]);
    expect(html).toContain('<h2 id="fees">Fees</h2><a href="#fees"');
    expect(html).toContain('<h2 id="fees-1">Fees</h2><a href="#fees-1"');
    expect(html).toContain('<a href="#fees-1">Up</a>');
  });

  it('each id occurs once on any landing page', async ({ backend, startShown }) => {
    const site = await startShown();
    let number = 0;
    const position = fc.oneof(
      fc.constantFrom<unknown>('faq', 'contacts', 'header', { block: 'partners' }, 'subscribe'),
      fc.record({ custom: richText, id: fc.option(word, { nil: undefined }) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(position, { maxLength: 6 }),
        questions,
        richText,
        async (positions, items, faq) => {
          number += 1;
          const landing = capture('v5-flat', 'landing.json');
          Object.assign(landing.data as object, {
            title: `Landing ${number}.`,
            positionsAndCustomBlocks: positions,
            faqBlock: { title: 'Questions', items },
            faqBlockContent: faq,
          });
          backend.on('/api/landing', landing);
          const html = await eventually(async () => {
            const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
            expect(text.includes(`<title>Landing ${number}.`)).toBe(true);
            return text;
          });
          expect(wrongIds(html)).toEqual([]);
        },
      ),
      { numRuns: runs(15) },
    );
  });
});

describe('an id that an editor gives to a block', () => {
  it('the id of a block takes precedence over heading ids, and a changed id is logged', async ({
    backend,
    startShown,
  }) => {
    const landing = capture('v5-flat', 'landing.json');
    const data = landing.data as Record<string, unknown>;
    data.positionsAndCustomBlocks = [
      { custom: '## Promise\n\n[Here](#promise)' },
      ...[
        { custom: 'One', id: 'promise' },
        { custom: 'Two', id: 'promise' },
        { custom: 'Three', id: 'contacts' },
      ],
      ...[{ custom: 'Four', id: 'my block' }, 'contacts'],
    ];
    backend.on('/api/landing', landing);
    const site = await startShown();
    const html = await site.html('/');
    expect([...html.matchAll(/<section id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      ...['block-1', 'promise', 'promise-1', 'section-contacts', 'my-block', 'contacts', 'subscribe'],
    ]);
    expect(html).toContain('<h2 id="promise-2">Promise</h2><a href="#promise-2"');
    expect(html).toContain('<a href="#promise-2">Here</a>');
    const lines = site.lines(String(data.documentId)).filter(({ field }) => String(field).endsWith('.id'));
    expect(lines.map(({ reason }) => reason)).toEqual([
      "the id 'promise' becomes an id with a number, because another block has it",
      "the id 'contacts' becomes 'section-contacts', because the site uses it, or it has characters that an id may not have",
      "the id 'my block' becomes 'my-block', because the site uses it, or it has characters that an id may not have",
    ]);
  });
});

describe('the ids of the site itself', () => {
  it('the site’s own ids are known, so that texts of editors never use them', async ({
    backend,
    edit,
    startShown,
  }) => {
    edit({ body: 'Text', contactForm: true, questions: [{ question: 'Why?', answer: 'So.' }] });
    const landing = capture('v5-flat', 'landing.json');
    Object.assign(landing.data as object, { positionsAndCustomBlocks: null, faqBlockContent: 'Text' });
    backend.on('/api/landing', landing);
    const site = await startShown();
    const error = await sendRequest(site.url, '/nope/nope', { headers: AS_BROWSER });
    const form = await sendRequest(site.url, '/api/email/send', {
      method: 'POST',
      headers: { ...AS_BROWSER, 'content-type': 'application/x-www-form-urlencoded', origin: site.url },
      body: new URLSearchParams({ form: 'contact', page: '/', website: 'x' }).toString(),
    });
    const pages = [await site.html('/'), await site.html(), await site.html('/blog'), error.text, form.text];
    const ids = pages.flatMap(idsOf);
    expect(ids).toEqual(
      expect.arrayContaining(['root', 'contacts', 'contact-message', 'subscribe-email', 'category-0']),
    );
    expect(ids).toEqual(expect.arrayContaining(['contact-website', 'contact-message-error']));
    expect(ids.filter(id => normalizedId(id) === id)).toEqual([]);
  });
});
