import { describe, expect } from 'vitest';
import type { Question } from '../../shared/content/rich-text.ts';
import { servePages } from '../faults/pages-by-slug.ts';
import { startEditableBackend } from '../support/editable-backend.ts';
import { capture } from '../support/fake-backend.ts';
import { askOps, SPAIN, TOKEN } from '../support/invalidation-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { payloadPath } from '../support/payload-path.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { siteTest } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const MOST = 2_000_000;
const [, , , ARTICLE = ''] = SPAIN.split('/');
const [, , CATEGORY = ''] = SPAIN.split('/');

/** Repeats a piece of text in paragraphs short enough for the limit of Markdown markers in each. */
function paragraphs(length: number, piece: string, perParagraph = 2_500): string {
  const paragraph = `${piece.repeat(perParagraph)}\n\n`;
  return paragraph.repeat(Math.floor(length / paragraph.length));
}
const questions = (count: number, answerOf: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => ({
    question: `Question ${number}`,
    answer: answerOf(number),
  }));
const ADDRESSES = paragraphs(98_000, 'www.a.bc ');

async function load(site: RunningSite, path: string) {
  const [page, payload] = await Promise.all([
    sendRequest(site.url, path, { headers: AS_BROWSER }),
    sendRequest(site.url, payloadPath(path)),
  ]);
  expect([page.status, payload.status]).toEqual([200, 200]);
  expect(page.text).toMatch(/<\/html>$/);
  const size = Math.max(page.body.byteLength, payload.body.byteLength);
  return { ...page, size, data: payload.json<{ data: { page: object } }>().data.page };
}
const linesAbout = ({ log }: RunningSite, type: string, reason: RegExp) =>
  log.filter(line => line.type === type && reason.test(String(line.reason)));
const TOO_LARGE = /^the page would have more than 2 MB/;

const it = siteTest
  .extend('addPage', async ({ backend }) => servePages(backend))
  .extend('cms', async ({}, { onCleanup }) => {
    const cms = await startEditableBackend();
    onCleanup(() => cms.close());
    return cms;
  })
  .extend('editedSite', async ({ cms, startOwnSite }) => () => {
    return startOwnSite({ contentBaseUrl: cms.url, env: { OPS_TOKEN: TOKEN } });
  });

describe('a page whose texts exceed 2 MB of HTML', () => {
  it('an article with 36 answers of 98 KB of links is cut to 2 MB of HTML', async ({ cms, editedSite }) => {
    const row = cms.row('article', ARTICLE);
    row.attributes.questions = questions(36, () => ADDRESSES);
    const site = await editedSite();
    const { size, text, data } = await load(site, SPAIN);
    expect(size).toBeLessThan(MOST);
    expect(text.match(/href="http:\/\/www\.a\.bc\/?"/g)?.length).toBeGreaterThan(5_000);
    const [line] = linesAbout(site, 'articles', /^the texts of the page are too large/);
    expect(line).toMatchObject({
      id: row.documentId,
      field: expect.stringMatching(/^questions\[\d+\]\.answer$/),
    });
    const { questions: shown } = data as { questions: readonly Question[] };
    const { jsonLd } = parsePage(text);
    const marked = jsonLd.filter(block => JSON.stringify(block).includes('FAQPage'));
    expect(JSON.stringify(marked).match(/"@type":"Question"/g)?.length ?? shown.length).toBe(shown.length);
    const { problems } = (await askOps(site.opsUrl, 'GET', '/cache', TOKEN)).json<{ problems: object[] }>();
    expect(problems).toContainEqual(
      expect.objectContaining({ type: 'articles', id: row.documentId, field: line?.field }),
    );
  });

  it('when a category’s answers make an article too long, the log has the place of the cut', async ({
    cms,
    editedSite,
  }) => {
    const article = cms.row('article', ARTICLE);
    Object.assign(article.attributes, { body: paragraphs(190_000, '漢字', 100), questions: [] });
    cms.row('category', CATEGORY).attributes.questions = questions(
      20,
      number => `${number} ${'漢字'.repeat(9_000)}`,
    );
    const site = await editedSite();
    const { size, text, data } = await load(site, SPAIN);
    expect(size).toBeLessThan(MOST);
    expect(size).toBeGreaterThan(1_000_000);
    expect(linesAbout(site, 'articles', TOO_LARGE)).toMatchObject([
      { id: article.documentId, field: expect.stringMatching(/^questions(?:\[\d+\])?/) },
    ]);
    // Lists after the cut stay. Data that describes the whole page is omitted.
    expect(data).toMatchObject({ breadcrumbs: [expect.anything(), expect.anything(), expect.anything()] });
    expect(text).not.toContain('application/ld+json');
    article.attributes.body = 'Short.';
    cms.row('category', CATEGORY).attributes.questions = [];
    await askOps(site.opsUrl, 'DELETE', '/cache?tag=*', TOKEN);
    expect((await load(site, SPAIN)).text).toContain('application/ld+json');
    const { problems } = (await askOps(site.opsUrl, 'GET', '/cache', TOKEN)).json<{
      problems: { reason: string }[];
    }>();
    expect(problems.filter(({ reason }) => TOO_LARGE.test(reason))).toEqual([]);
  });

  it('too large texts of the landing page are cut, and its other blocks stay', async ({
    backend,
    startOwnSite,
  }) => {
    const landing = capture('v5-as-v4', 'landing.json') as { data: { attributes: object } };
    const answer = `${'<&" '.repeat(6_000)}`;
    Object.assign(landing.data.attributes, {
      faqBlock: { title: 'Questions', items: questions(20, number => `${number} ${answer}`) },
      positionsAndCustomBlocks: ['header', { custom: answer.repeat(3), id: 'own' }, 'faq', 'countries'],
    });
    backend.on('/api/landing', landing);
    const site = await startOwnSite();
    const { size, text } = await load(site, '/');
    expect(size).toBeLessThan(MOST);
    expect(linesAbout(site, 'landing', TOO_LARGE)).toMatchObject([{ id: null, field: expect.any(String) }]);
    expect(text).toContain('Question 0');
    expect(text).toContain('id="own"');
  });
});

/** Texts that stay below 2 MB without a cut: tables and videos reach other limits first. */
const WITHIN = ['tables', 'films'];

describe('every kind of text stays within 2 MB', () => {
  it.for<[string, Record<string, unknown>]>([
    [
      'answers of angle brackets',
      { questions: questions(36, number => `${number} ${paragraphs(98_000, '< ')}`) },
    ],
    ['the same answer 36 times', { questions: questions(36, () => paragraphs(98_000, '< ')) }],
    ['quotation marks', { questions: questions(30, number => `${number} ${'"&'.repeat(30_000)}`) }],
    ['pictures', { body: paragraphs(190_000, '![](/uploads/a.png) ', 200) }],
    ['pictures with long names', { body: paragraphs(190_000, `![](/uploads/${'ü'.repeat(100)}.png) `, 20) }],
    ['films', { body: 'https://youtu.be/dQw4w9WgXcQ\n\n'.repeat(1_900) }],
    ['pictures with captions', { body: paragraphs(98_000, '![a](/uploads/a.png "t")', 1) }],
    ['code', { body: `<div>${'<pre>a</pre>'.repeat(9_000)}</div>` }],
    ['tables', { body: `<div>${'<table><tr><td>a</td></tr></table>'.repeat(3_000)}</div>` }],
    ['many questions', { questions: questions(999, () => '"'.repeat(300)) }],
    [
      'long questions',
      { questions: [...Array(100)].map(() => ({ question: '<&'.repeat(15_000), answer: 'a' })) },
    ],
    ['a description', { body: 'x', description: '<&'.repeat(1_000_000) }],
    ['a title', { body: 'x', title: '"&'.repeat(1_000_000) }],
  ])('a page of %s stays within 2 MB of HTML', async ([name, fields], { addPage, site }) => {
    const slug = name.replaceAll(' ', '-');
    const { size } = await load(site, addPage(slug, fields));
    expect(size).toBeLessThan(MOST);
    expect(size).toBeGreaterThan(100_000);
    if (!WITHIN.includes(name)) expect(site.log.filter(({ id }) => id === `id-${slug}`)).not.toEqual([]);
  });

  it('a large article of ordinary text is shown whole', async ({ addPage, site }) => {
    const sentence =
      'The quick brown fox jumps over the **lazy** dog, and goes on to say what it has seen behind the hills.\n\n';
    const text = (number: number, length: number) =>
      `${number} ${sentence.repeat(length / sentence.length)}Last words ${number}.`;
    const path = addPage('ordinary', {
      body: text(0, 199_000),
      questions: questions(3, number => text(number + 1, 33_000)),
    });
    const page = await load(site, path);
    for (const number of [0, 1, 2, 3]) expect(page.text).toContain(`Last words ${number}.</p>`);
    expect(page.text).toContain('FAQPage');
    expect(site.log.filter(({ id }) => id === 'id-ordinary')).toEqual([]);
  });
});
