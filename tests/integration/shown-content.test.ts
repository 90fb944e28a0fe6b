import { describe, expect } from 'vitest';
import { capture } from '../support/fake-backend.ts';
import { shownTest as it, SHOWN_ID } from '../support/shown-content-test.ts';

const FILM = 'https://films.example/embed/1';
const TO_FILM = `<a rel="noopener noreferrer" href="${FILM}">films.example</a>`;

describe('a body', () => {
  it.for<[string, unknown, RegExp, string]>([
    [
      'an oembed',
      `<figure class="media"><oembed url="${FILM}"></oembed></figure>`,
      new RegExp(TO_FILM),
      '<oembed>',
    ],
    ['an iframe', `A\n\n<iframe src="${FILM}"></iframe>`, new RegExp(TO_FILM), '<iframe>'],
    ['a video', `<video><source src="${FILM}">No film</video>`, new RegExp(`No film ${TO_FILM}`), '<video>'],
    [
      'an audio',
      `<audio src="${FILM}" title="Talk"></audio>`,
      new RegExp(TO_FILM.replace('films.example<', 'Talk<')),
      '<audio>',
    ],
    ['an embed', `<embed src="${FILM}">`, new RegExp(TO_FILM), '<embed>'],
    ['an object', `<object data="${FILM}">Old</object>`, new RegExp(`Old ${TO_FILM}`), '<object>'],
    [
      'blocks of another editor',
      [{ type: 'title', children: [{ type: 'text', text: 'Of blocks' }] }],
      /<p>Of blocks<\/p>/,
      'blocks are shown as plain paragraphs and links',
    ],
    [
      'a dynamic zone',
      [{ __component: 'shared.film', id: 1, url: FILM, title: 'Our film', look: 'dark' }],
      new RegExp(`<a rel="noopener noreferrer" href="${FILM}">Our film</a>`),
      "blocks are shown as plain paragraphs and links; not shown: 'look'",
    ],
    [
      'a very large table',
      `## Before\n\n|a|b|\n|-|-|\n${'|c|d|\n'.repeat(3_000)}`,
      /Before<\/h2>.*?<p>a · b<\/p><p>c · d<\/p>/,
      'a table of 3001 rows and 2 columns',
    ],
  ])(
    'a body with %s is shown as text and links, and logged',
    async ([, body, expected, reason], { edit, startShown }) => {
      edit({ body });
      const site = await startShown();
      expect(await site.html()).toMatch(expected);
      expect(site.lines()).toMatchObject([
        {
          code: 'content-shown-as-text',
          type: 'pages',
          id: SHOWN_ID,
          field: 'body',
          reason: expect.stringContaining(reason),
        },
      ]);
      expect(await site.problems()).toMatchObject([{ kind: 'shown-as-text', field: 'body' }]);
    },
  );

  it('a script, a refused link and a foreign picture in a body are each logged', async ({
    edit,
    startShown,
  }) => {
    edit({
      body: '<p>Kept <a href="javascript:x">link</a> <img src="https://elsewhere.example/a.png" alt="View"></p><script>x</script>',
    });
    const site = await startShown();
    expect(await site.html()).toContain('<p>Kept link View</p>');
    expect(site.lines().map(({ code, field }) => [code, field])).toEqual([
      ['content-address-refused', 'body'],
      ['content-address-refused', 'body'],
      ['content-element-left-out', 'body'],
    ]);
  });
});

describe('the order of the landing page', () => {
  it('the order of the landing page may contain plain names, and unknown or repeated ones are logged', async ({
    backend,
    startShown,
  }) => {
    const landing = capture('v5-flat', 'landing.json');
    const data = landing.data as Record<string, unknown>;
    data.positionsAndCustomBlocks = ['faq', 'footer', { block: 'header' }, 'faq', { custom: 'An own text' }];
    backend.on('/api/landing', landing);
    const site = await startShown();
    const html = await site.html('/');
    const places = ['id="faq-title"', 'id="hero-title"', 'An own text'].map(part => html.indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(html.match(/id="faq"/g)).toHaveLength(1);
    const lines = site
      .lines(String(data.documentId))
      .filter(({ field }) => String(field).startsWith('positions'));
    expect(lines.map(({ field, reason }) => [field, reason])).toEqual([
      [
        'positionsAndCustomBlocks[1]',
        expect.stringContaining("'footer' is not shown: one of header, countries"),
      ],
      ['positionsAndCustomBlocks[3]', "the block 'faq' is named twice: it is shown at the first place"],
    ]);
  });
});

it('an empty order of the landing page shows all blocks, as a missing order does', async ({
  backend,
  startShown,
}) => {
  const landing = capture('v5-flat', 'landing.json');
  const data = landing.data as Record<string, unknown>;
  backend.on('/api/landing', landing);
  const ids = async () => {
    const html = await (await startShown()).html('/');
    return html.match(/ id="[\w-]+"/g);
  };
  data.positionsAndCustomBlocks = null;
  const all = await ids();
  expect(all).toContain(' id="hero-title"');
  data.positionsAndCustomBlocks = [];
  expect(await ids()).toEqual(all);
});

describe('a list of the settings and of the landing page', () => {
  it('each hidden item of a list in the settings or on the landing page is logged', async ({
    backend,
    startShown,
  }) => {
    const settings = capture('v5-flat', 'settings.json');
    const landing = capture('v5-flat', 'landing.json');
    Object.assign(settings.data as object, {
      headerLinks: [
        { title: 'Kept', href: '/about' },
        { title: 'No address' },
        'text',
        { titel: 'Typo', href: '/x' },
      ],
      socials: { title: 'No list' },
    });
    Object.assign(landing.data as object, {
      contactsListWithCheckmarks: ['Kept', 5, { title: 'No text' }, ''],
      partnersBlock: {
        title: 'Partners',
        items: [{ name: 'Kept', href: 'ftp://x' }, { logo: '/uploads/a.png' }],
      },
      headerBlock: '{"title":',
      faqBlock: 'true',
    });
    backend.on('/api/settings', settings);
    backend.on('/api/landing', landing);
    const site = await startShown();
    const fields = (body: Record<string, unknown>) =>
      site
        .lines(String((body.data as Record<string, unknown>).documentId))
        .map(({ code, field }) => `${code} ${field}`)
        .sort();
    expect(fields(settings)).toEqual([
      'content-value-left-out headerLinks[1]',
      'content-value-left-out headerLinks[2]',
      'content-value-left-out headerLinks[3]',
      'content-value-left-out headerLinks[3]',
      'content-value-left-out socials',
    ]);
    expect(fields(landing)).toEqual([
      'content-address-refused partnersBlock.items[0].href',
      'content-broken-json headerBlock',
      // The icons belong to the header.
      'content-value-left-out block1Icons',
      'content-value-left-out contactsListWithCheckmarks[2]',
      'content-value-left-out faqBlock',
      'content-value-left-out partnersBlock.items[1]',
    ]);
  });
});
