import { expect } from 'vitest';
import { capture, type FakeBackend } from '../support/fake-backend.ts';
import { payloadPath } from '../support/payload-path.ts';
import { editor, PREVIEW_ENV } from '../support/preview-test.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';

const PAGE = '/typed';
const BODY = [
  `He said "*It's* fine" - and "left". A 24" screen, the 'best' price, the '90s.`,
  'Code `"a" - \'b\'`, <https://example.com/it\'s--a?b="c">, 0.4 % and 100%25.',
  '## The "why"',
  '    "indented" - code',
].join('\n\n');

interface Case {
  readonly language: string;
  readonly title: string;
  readonly texts: readonly string[];
  readonly keepsTyped?: boolean;
}

/** Serves a page with typed quotes and dashes, and a footer link with typed quotes. */
function serve(backend: FakeBackend, { language, keepsTyped = false }: Partial<Case>): void {
  const [row] = structuredClone(capture('v5-as-v4', 'pages.json').data) as { attributes: object }[];
  const page = { slug: 'typed', title: `What's "new" -- here`, h1: null, body: BODY };
  backend.on('/api/pages', { data: [{ ...row, attributes: { ...row?.attributes, ...page } }], meta: {} });
  const settings = structuredClone(capture('v5-as-v4', 'settings.json')) as { data: { attributes: object } };
  const footerLinks = [{ title: `It's "here"`, href: '/about' }];
  Object.assign(settings.data.attributes, { language, keepsTyped, footerLinks, siteName: `Tom's "Shop"` });
  backend.on('/api/settings', settings);
}

it.for<Case>([
  {
    language: 'en-GB',
    title: 'What’s “new” – here',
    texts: [
      'He said “',
      'It’s',
      ' fine” – and “left”. A 24" screen, the ‘best’ price, the ’90s.',
      ', 0.4% and 100%25.',
    ],
  },
  {
    language: 'de-DE',
    title: 'What’s „new“ – here',
    texts: [
      'He said „',
      'It’s',
      ' fine“ – and „left“. A 24" screen, the ‚best‘ price, the ’90s.',
      ', 0.4\u00a0% and 100%25.',
    ],
  },
  {
    language: 'en-GB',
    keepsTyped: true,
    title: `What's "new" -- here`,
    texts: [
      'He said "',
      "It's",
      ` fine" - and "left". A 24" screen, the 'best' price, the '90s.`,
      ', 0.4 % and 100%25.',
    ],
  },
])(
  'texts have the quotes and dashes of their language, unless the settings keep the typed ones: %o',
  async ({ language, title, texts, keepsTyped = false }, { backend, startOwnSite }) => {
    serve(backend, { language, keepsTyped });
    const site = await startOwnSite();
    const { text } = await sendRequest(site.url, payloadPath(PAGE), { headers: AS_BROWSER });
    const { data, head } = JSON.parse(text);
    expect(data.page.page.title).toBe(title);
    expect(head.title).toBe(`${title} – Tom's "Shop"`);
    const [first, second, , code] = data.page.page.body;
    expect([first[2][0], first[2][1][2][0], first[2][2], second[2][4]]).toEqual(texts);
    expect(second[2].slice(1, 4)).toEqual([
      ['code', null, [`"a" - 'b'`]],
      ', ',
      expect.arrayContaining(['a', [`https://example.com/it's--a?b="c"`]]),
    ]);
    expect(JSON.stringify(code)).toContain(String.raw`\"indented\" - code`);
    expect([data.shell.footerLinks[0].title, data.shell.siteName]).toEqual([
      keepsTyped ? `It's "here"` : language === 'de-DE' ? 'It’s „here“' : 'It’s “here”',
      `Tom's "Shop"`,
    ]);
  },
);

it('a page without JavaScript has the same characters as its payload, and a missing page the same footer', async ({
  backend,
  startOwnSite,
}) => {
  serve(backend, { language: 'en-GB' });
  const site = await startOwnSite();
  const ask = async (path: string) => (await sendRequest(site.url, path, { headers: AS_BROWSER })).text;
  expect(await ask(PAGE)).toContain('>What’s “new” – here</h1>');
  for (const path of [PAGE, '/no-such-page']) expect(await ask(path)).toContain('>It’s “here”</a>');
});

it('a preview has the characters that the editor has typed', async ({ backend, startOwnSite }) => {
  serve(backend, { language: 'en-GB' });
  const site = await startOwnSite({ env: PREVIEW_ENV });
  const { text } = await sendRequest(site.url, payloadPath(PAGE), {
    headers: { ...AS_BROWSER, ...editor() },
  });
  expect(JSON.parse(text).data.page.page.title).toContain(`What's "new" -- here`);
});
