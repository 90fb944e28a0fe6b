import { describe, expect, it } from 'vitest';
import type { RichText } from '../../shared/content/rich-text.ts';
import { compileWithLosses } from '../support/safe-rich-text.ts';

const link = (text: string, href: string) => ['a', { href, rel: 'noopener noreferrer' }, [text]];
const paragraph = (...children: unknown[]) => ['p', null, children];

/** Compiles a source. @returns the text, and the kind and reason of each finding. */
function shown(source: unknown): [tree: RichText, losses: string[]] {
  const { tree, losses } = compileWithLosses(source);
  return [tree, losses.map(({ kind, reason }) => `${kind}: ${reason}`)];
}

describe('an element that cannot be shown', () => {
  const film = 'https://films.example/embed/1';
  const toFilm = [`link to '${film}'`];
  it.each<[string, string, unknown[], string[]]>([
    [
      'oembed',
      `<figure class="media"><oembed url="${film}"></oembed></figure>`,
      [['figure', null, [link('films.example', film)]]],
      toFilm,
    ],
    [
      'div',
      `<figure class="media"><div data-oembed-url="${film}"> </div></figure>`,
      [['figure', null, [link('films.example', film)]]],
      toFilm,
    ],
    [
      'iframe',
      `<iframe src="${film}" title="Our film"></iframe>`,
      [paragraph(link('Our film', film))],
      toFilm,
    ],
    [
      'iframe',
      `A\n\n<iframe src="${film}">See <b>it</b></iframe>`,
      [paragraph('A'), paragraph('\nSee it ', link('films.example', film))],
      toFilm,
    ],
    [
      'video',
      '<p>Look: <video controls><source src="https://films.example/a%20b.mp4">No film.</video></p>',
      [paragraph('Look: No film. ', link('films.example', 'https://films.example/a%20b.mp4'))],
      ["link to 'https://films.example/a%20b.mp4'"],
    ],
    [
      'audio',
      '<h2><audio src="https://cms.example/uploads/a.mp3" title="Talk"></audio></h2>',
      [['h2', { id: 'talk' }, [['a', { href: '/uploads/a.mp3' }, ['Talk']]]]],
      ["link to '/uploads/a.mp3'"],
    ],
    ['embed', `<embed src="${film}">`, [paragraph(link('films.example', film))], toFilm],
    [
      'object',
      `<object data="${film}">Old</object>`,
      [paragraph('Old ', link('films.example', film))],
      toFilm,
    ],
    [
      'area',
      '<map name="m"><area href="/pay" alt="Pay"></map>',
      [paragraph(['a', { href: '/pay' }, ['Pay']])],
      ["link to '/pay'"],
    ],
    [
      'youtube-film',
      `<youtube-film src="${film}"></youtube-film>`,
      [paragraph(link('films.example', film))],
      toFilm,
    ],
    [
      'iframe',
      '<iframe src="javascript:x" title="T">Text</iframe>',
      [paragraph('Text')],
      ['its text is shown'],
    ],
    ['video', '<video></video><p>a</p>', [paragraph('a')], ['it has no address: nothing is shown']],
    [
      'video',
      '<p><a href="/a"><video src="/uploads/v.mp4">V</video></a></p>',
      [paragraph(['a', { href: '/a' }, ['V']])],
      ['it stands in a link: its text is shown'],
    ],
  ])(
    'an element that cannot be shown becomes a link or its text: <%s> in %s',
    (tag, source, expected, [words]) => {
      const [tree, losses] = shown(source);
      expect(tree).toEqual(expected);
      expect(losses).toEqual([expect.stringMatching(new RegExp(`^shown-as-text: <${tag}> is .*${words}`))]);
    },
  );
});

describe('a finding about a text', () => {
  it.each<[string, string[]]>([
    ['<p>a</p><script>x</script>', ['element-left-out: <script> is not shown, with all that is in it']],
    [
      '<table><colgroup><template>x</template></colgroup><tr><td>a</td></tr></table>',
      ['element-left-out: <template> is not shown, with all that is in it'],
    ],
    [
      '<style>p {}</style><p>a</p><style>b {}</style>',
      ['element-left-out: <style> is not shown, with all that is in it (2 times)'],
    ],
    [
      '<form><input name="a"><select><option>One</select><button>Send</button></form>',
      [
        'shown-as-text: <form>: its texts are shown, but nothing can be sent with it',
        'shown-as-text: <button>: its texts are shown, but nothing can be sent with it',
        'element-left-out: <input> is not shown',
        'element-left-out: <select> is not shown, with all that is in it',
      ],
    ],
    [
      '[Click](javascript:alert(1))',
      [
        "address-refused: 'javascript:alert(1)' is no address for a link (https, http, mailto, tel, or a path that begins with /): 'Click' is shown without a link",
      ],
    ],
    [
      '![A view](https://elsewhere.example/a.png)',
      [
        "address-refused: 'https://elsewhere.example/a.png' is no address for a file (of the CMS, or of an origin in MEDIA_ORIGINS): 'A view' is shown instead",
      ],
    ],
    [
      '<img srcset="/uploads/a.png 2x">',
      ['address-refused: a picture has no address: nothing is shown instead'],
    ],
    ['a\n\n[^1]: Lost', ['value-left-out: the footnote [^1] is not shown, because no text refers to it']],
    ['a[^1]\n\n[^1]: Kept\n\n[^1]: Lost', ['value-left-out: a second footnote [^1] is not shown']],
    ['<p>a</p><link rel="x" href="/y"><meta name="z"><input type="hidden">', []],
    ['<p><font color="red"><u>a</u></font><input type="checkbox"> <span>b</span></p>', []],
    ['a[^1]\n\n[^1]: See[^2].\n\n[^2]: Kept', []],
  ])('findings name each part of %j that is not shown', (source, expected) => {
    expect(shown(source)[1].sort()).toEqual(expected.sort());
  });

  it('findings name ten losses of a kind, and count the rest', () => {
    const source = Array.from({ length: 25 }, (_, index) => `[a](ftp://h${index}.example)`).join(' ');
    const [, losses] = shown(source);
    expect(losses).toHaveLength(11);
    expect(losses.at(-1)).toBe('address-refused: and 15 more of this kind in the same text');
  });
});

describe('a dynamic zone or unknown block', () => {
  const text = (words: string) => ({ type: 'text', text: words, bold: true });
  it.each<[string, unknown, unknown[], string]>([
    [
      'blocks of another editor',
      [
        { type: 'heading', level: 'two', children: [text('Fees')] },
        {
          type: 'paragraph',
          look: 'large',
          children: [text('See '), { type: 'link', url: '/fees', children: [text('all fees')] }],
        },
        { type: 'list', format: 'ordered', children: [{ type: 'paragraph', children: [text('One')] }] },
        {
          type: 'image',
          image: { url: '/uploads/a.png', alternativeText: 'A', mime: 'image/png' },
          children: [],
          look: null,
        },
      ],
      [
        paragraph('Fees'),
        paragraph('See ', ['a', { href: '/fees' }, ['all fees']]),
        paragraph(['strong', null, ['One']]),
        paragraph(['a', { href: '/uploads/a.png' }, ['A']]),
      ],
      "blocks are shown as plain paragraphs and links; not shown: 'look'",
    ],
    [
      'a dynamic zone of unknown sections',
      [
        { __component: 'shared.rich-text', id: 3, body: '## Costs' },
        {
          __component: 'shared.film',
          id: 5,
          title: 'Our film',
          url: 'https://films.example/1',
          theme: 'dark',
          size: 3,
        },
        {
          __component: 'shared.download',
          id: 6,
          file: { data: { attributes: { url: '/uploads/b.pdf', ext: '.pdf' } } },
        },
      ],
      [
        ['h2', { id: 'costs' }, ['Costs']],
        paragraph(link('Our film', 'https://films.example/1')),
        paragraph(['a', { href: '/uploads/b.pdf' }, ['b.pdf']]),
      ],
      "'shared.film', 'shared.download': the site has no such section; blocks are shown as plain paragraphs and links; not shown: 'theme', 'size'",
    ],
  ])('unknown content becomes paragraphs and links: %s', (_, source, expected, reason) => {
    expect(shown(source)).toEqual([expected, [`shown-as-text: ${reason}`]]);
  });

  it('a dynamic zone is shown within the bounds of all texts', () => {
    const deep = JSON.parse(`${'{"children":['.repeat(500)}"x"${']}'.repeat(500)}`);
    expect(shown(deep)).toEqual([
      [],
      [expect.stringContaining('not shown: everything deeper than 100 blocks')],
    ]);
    const [tree, losses] = shown(Array.from({ length: 300 }, () => ({ text: 'a '.repeat(500) })));
    expect(tree).toHaveLength(200);
    expect(losses).toEqual([expect.stringContaining('not shown: everything after 200000 characters')]);
  });
});
