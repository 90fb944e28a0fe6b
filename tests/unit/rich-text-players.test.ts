import { describe, expect, it } from 'vitest';
import type { RichText } from '../../shared/content/rich-text.ts';
import { compileWithLosses, expectSafe, expectStable } from '../support/safe-rich-text.ts';

const p = (...children: unknown[]) => ['p', null, children];
const figure = (...children: unknown[]) => ['figure', null, children];
const film = (...children: unknown[]) => [
  'oembed',
  {
    href: 'https://www.youtube.com/watch?v=abc',
    'data-frame': 'https://www.youtube-nocookie.com/embed/abc?autoplay=1',
    'data-provider': 'YouTube',
  },
  children,
];
const ADDRESS = 'https://www.youtube.com/watch?v=abc';

/** @returns the tree of a source. Asserts that nothing is lost. */
function compiled(source: unknown): RichText {
  const { tree, losses } = compileWithLosses(source);
  expect(losses).toEqual([]);
  expectSafe(tree);
  expectStable(tree);
  return tree;
}

describe('a video of a provider', () => {
  it.each<[string, unknown, unknown[]]>([
    ['an address on a line', ADDRESS, [film()]],
    ['an address between paragraphs', `A\n\n${ADDRESS}\n\nB`, [p('A'), film(), p('B')]],
    ['an address on a line of a paragraph', `A\n${ADDRESS}\nB`, [p('A'), film(), p('B')]],
    ['an address after a forced break', `A  \n${ADDRESS}`, [p('A'), film()]],
    ['an address in HTML', `<p>${ADDRESS}</p>`, [film()]],
    ['a bare link in HTML', `<p><a href="${ADDRESS}">youtu.be/abc</a></p>`, [film()]],
    [
      'an iframe',
      `<iframe src="https://www.youtube.com/embed/abc" title="Our film"></iframe>`,
      [film('Our film')],
    ],
    [
      'an iframe that says nothing',
      `<iframe src="${ADDRESS}" title="YouTube video player"></iframe>`,
      [film()],
    ],
    [
      'an iframe in a paragraph',
      `<p>A <iframe src="//youtu.be/abc"></iframe> B</p>`,
      [p('A'), film(), p('B')],
    ],
    ['an oembed', `<figure class="media"><oembed url="${ADDRESS}"></oembed></figure>`, [figure(film())]],
    [
      'an oembed with a picture',
      `<oembed url="${ADDRESS}" title="T"><img src="/uploads/a.png" alt="" width="2" height="1"></oembed>`,
      [film(['img', { src: '/uploads/a.png', alt: '', width: 2, height: 1, scaled: true }, []], 'T')],
    ],
    [
      'a box of CKEditor with its preview',
      `<div data-oembed-url="${ADDRESS}"><div><iframe src="https://www.youtube.com/embed/abc"></iframe></div></div>`,
      [film()],
    ],
    [
      'a paragraph of the Blocks editor',
      [{ type: 'paragraph', children: [{ type: 'text', text: ADDRESS }] }],
      [film()],
    ],
    [
      'a link of the Blocks editor',
      [
        {
          type: 'paragraph',
          children: [
            { type: 'text', text: '' },
            { type: 'link', url: ADDRESS, children: [{ type: 'text', text: ADDRESS }] },
            { type: 'text', text: '' },
          ],
        },
      ],
      [film()],
    ],
  ])('a video of a provider becomes a player: %s', (_, source, expected) => {
    expect(compiled(source)).toEqual(expected);
  });

  it('a video’s address stays a link in running text, a list, a heading, or with its own link text', () => {
    const link = ['a', { href: ADDRESS, rel: 'noopener noreferrer' }, [ADDRESS]];
    expect(compiled(`See ${ADDRESS}`)).toEqual([p('See ', link)]);
    expect(compiled(`[A film](${ADDRESS})`)).toEqual([p(['a', link[1], ['A film']])]);
    expect(compiled(`- ${ADDRESS}`)).toEqual([['ul', null, [['li', null, [link]]]]]);
    expect(compiled(`## ${ADDRESS}`)).toEqual([['h2', expect.anything(), [link]]]);
    const { tree, losses } = compileWithLosses(`<a href="/a">B <iframe src="${ADDRESS}"></iframe></a>`);
    expect(tree).toEqual([p(['a', { href: '/a' }, ['B ']])]);
    expect(losses).toMatchObject([{ kind: 'shown-as-text', reason: expect.stringContaining('<iframe>') }]);
  });

  it('attributes of an editor do not change the address of the player', () => {
    const { tree } = compileWithLosses(
      `<oembed url="${ADDRESS}" data-frame="https://evil.example/" href="https://evil.example/"></oembed>`,
    );
    expect(JSON.stringify(tree)).not.toContain('evil');
  });
});

describe('a video or audio file of the site', () => {
  const video = (more: object = {}, children: unknown[] = []) => [
    'video',
    { src: '/uploads/a.mp4', ...more },
    children,
  ];
  it.each<[string, unknown[]]>([
    ['<video src="https://cms.example/uploads/a.mp4" controls autoplay></video>', [video()]],
    [
      '<video width="4" height="3" poster="/uploads/p.jpg" title="T"><source src="ftp://x/a.mp4"><source src="/uploads/a.mp4">No film.</video>',
      [video({ 'aria-label': 'T', poster: '/uploads/p.jpg', width: 4, height: 3 })],
    ],
    [
      '<video src="/uploads/a.mp4" poster="https://evil.example/p.jpg"><track src="/uploads/a.vtt" srclang="en" kind="captions" label="English" default><track src="https://evil.example/b.vtt"></video>',
      [
        video({}, [
          [
            'track',
            { src: '/uploads/a.vtt', srcLang: 'en', kind: 'captions', label: 'English', default: true },
            [],
          ],
        ]),
      ],
    ],
    [
      '<p>A <audio src="/uploads/a.mp3" title="Talk"></audio></p>',
      [p('A'), ['audio', { src: '/uploads/a.mp3', 'aria-label': 'Talk' }, []]],
    ],
    ['![Words](/uploads/a.mp4)', [video({ 'aria-label': 'Words' })]],
    ['![](/uploads/a.mp4 "Below it")', [figure(video(), ['figcaption', null, ['Below it']])]],
    [
      '<figure><video src="/uploads/a.mp4"></video><figcaption>C</figcaption></figure>',
      [figure(video(), ['figcaption', null, ['C']])],
    ],
  ])('a media file of the site becomes a player: %s', (source, expected) => {
    expect(compiled(source)).toEqual(expected);
  });

  it('a video file of another site becomes a link, and is reported', () => {
    const { tree, losses } = compileWithLosses('<video src="https://evil.example/a.mp4"></video>');
    expect(tree).toEqual([
      p(['a', { href: 'https://evil.example/a.mp4', rel: 'noopener noreferrer' }, ['evil.example']]),
    ]);
    expect(losses).toMatchObject([{ kind: 'shown-as-text', reason: expect.stringContaining('<video>') }]);
  });
});

describe('a callout', () => {
  it.each<[string, unknown[]]>([
    [
      '> [!NOTE]\n> Read *this*.',
      [['aside', { 'data-tone': 'note' }, [p('Read ', ['em', null, ['this']], '.')]]],
    ],
    ['> [!Tip]\n>\n> - One', [['aside', { 'data-tone': 'tip' }, [['ul', null, [['li', null, ['One']]]]]]]],
    ['> [!CAUTION]\n> Hot', [['aside', { 'data-tone': 'warning' }, [p('Hot')]]]],
    ['<aside data-tone="tip"><p>Yes</p></aside>', [['aside', { 'data-tone': 'tip' }, [p('Yes')]]]],
    ['<aside><p>Yes</p></aside>', [p('Yes')]],
    ['> [!OTHER]\n> Text', [['blockquote', null, [p('[!OTHER]\nText')]]]],
    ['> Text [!NOTE]', [['blockquote', null, [p('Text [!NOTE]')]]]],
  ])('a callout is recognised by its mark: %j', (source, expected) => {
    expect(compiled(source)).toEqual(expected);
  });
});
