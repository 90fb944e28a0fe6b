import { describe, expect, it } from 'vitest';
import { withSections } from '../../server/rich-text/sources/with-sections.ts';
import { compileWithLosses, expectSafe, expectStable } from '../support/safe-rich-text.ts';

const p = (...children: unknown[]) => ['p', null, children];
const figcaption = (words: string) => ['figcaption', null, [words]];
const image = (name: string) => [
  'img',
  { src: `/uploads/${name}`, alt: 'A', width: 8, height: 6, scaled: true },
  [],
];
const upload = (name: string, mime: string, caption: string | null = null) => ({
  id: 1,
  documentId: 'x',
  ...{
    url: `/uploads/${name}`,
    mime,
    caption,
    alternativeText: 'A',
    ...(mime.startsWith('image/') ? { width: 8, height: 6 } : {}),
  },
});
const section = (kind: string, values: object) => ({ __component: `site.${kind}-section`, id: 1, ...values });

const KINDS: readonly [what: string, source: object, expected: unknown[]][] = [
  ['a text', section('text', { body: 'A *b*' }), [p('A ', ['em', null, ['b']])]],
  ['a text in HTML', section('text', { body: '<p>A</p>' }), [p('A')]],
  [
    'a text in Blocks',
    section('text', { body: [{ type: 'quote', children: [{ type: 'text', text: 'A' }] }] }),
    [['blockquote', null, [p('A')]]],
  ],
  [
    'a quotation',
    section('quote', { text: 'Said', name: 'Ada', position: 'Head', href: '/ada' }),
    [['blockquote', null, [p('Said'), p(['cite', null, [['a', { href: '/ada' }, ['Ada, Head']]]])]]],
  ],
  [
    'a quotation without an author',
    section('quote', { text: 'Said', name: null }),
    [['blockquote', null, [p('Said')]]],
  ],
  [
    'a picture, with its own caption',
    section('media', { file: upload('a.png', 'image/png', 'Of the file') }),
    [['figure', null, [image('a.png'), figcaption('Of the file')]]],
  ],
  [
    'a film with all fields',
    section('media', {
      file: { data: { id: 2, attributes: upload('a.mp4', 'video/mp4') } },
      poster: upload('p.png', 'image/png'),
      captions: { data: [{ id: 3, attributes: upload('c.vtt', 'text/vtt') }] },
      caption: 'C',
    }),
    [
      [
        'figure',
        null,
        [
          [
            'video',
            { src: '/uploads/a.mp4', 'aria-label': 'A', poster: '/uploads/p.png' },
            [['track', { src: '/uploads/c.vtt', kind: 'captions' }, []]],
          ],
          figcaption('C'),
        ],
      ],
    ],
  ],
  [
    'a sound',
    section('media', { file: upload('a', 'audio/mpeg') }),
    [['figure', null, [['audio', { src: '/uploads/a', 'aria-label': 'A' }, []]]]],
  ],
  [
    'a document',
    section('media', { file: upload('a.pdf', 'application/pdf') }),
    [p(['a', { href: '/uploads/a.pdf' }, ['A']])],
  ],
  [
    'a gallery',
    section('gallery', {
      files: [upload('a.png', 'image/png', 'One'), upload('b.png', 'image/png')],
      caption: 'All',
    }),
    [
      [
        'figure',
        { 'data-gallery': '' },
        [
          ['figure', null, [image('a.png'), figcaption('One')]],
          ['figure', null, [image('b.png')]],
          figcaption('All'),
        ],
      ],
    ],
  ],
  [
    'a callout',
    section('callout', { tone: 'warning', title: 'Hot', body: 'Do **not**' }),
    [
      [
        'aside',
        { 'data-tone': 'warning' },
        [p(['strong', null, ['Hot']]), p('Do ', ['strong', null, ['not']])],
      ],
    ],
  ],
  [
    'a video of a provider',
    section('embed', {
      href: 'https://vimeo.com/1',
      title: 'T',
      poster: upload('p.png', 'image/png'),
      caption: 'C',
    }),
    [
      [
        'figure',
        null,
        [
          [
            'oembed',
            {
              href: 'https://vimeo.com/1',
              'data-frame': 'https://player.vimeo.com/video/1?dnt=1&autoplay=1',
              'data-provider': 'Vimeo',
            },
            [image('p.png'), 'T'],
          ],
          figcaption('C'),
        ],
      ],
    ],
  ],
  ['a rich text of a common project', { __component: 'shared.rich-text', body: 'A' }, [p('A')]],
  [
    'a slider of a common project',
    { __component: 'shared.slider', files: { data: [{ id: 1, attributes: upload('a.png', 'image/png') }] } },
    [['figure', { 'data-gallery': '' }, [['figure', null, [image('a.png')]]]]],
  ],
];

describe('a section', () => {
  it.each(KINDS)('a section becomes %s', (_, source, expected) => {
    const { tree, losses } = compileWithLosses([source]);
    expect(tree).toEqual(expected);
    expect(losses).toEqual([]);
    expectSafe(tree);
    expectStable(tree);
  });

  it('ids, tables and code blocks are numbered continuously across a text and its sections', () => {
    const source = withSections('## Fees\n\n```\na\n```', [
      section('text', { body: '## Fees\n\n```\nb\n```' }),
      section('callout', { body: '[Fees](#fees)' }),
    ]);
    const { tree } = compileWithLosses(source);
    expect(JSON.stringify(tree)).toMatch(/"id":"fees".*"Code 1".*"id":"fees-1".*"Code 2".*"href":"#fees"/);
  });

  it('withSections returns only the body when there are no sections', () => {
    expect(withSections('Text', null)).toBe('Text');
    expect(withSections('Text', [])).toBe('Text');
    expect(withSections(null, '[{"__component":"a.b"}]')).toEqual([{ __component: 'a.b' }]);
  });
});

describe('a section with content that is not shown', () => {
  it.each<[string, object, string]>([
    [
      'unknown keys',
      section('quote', { text: 'A', theme: 'dark' }),
      "section 1 ('site.quote-section'): 'theme' is not shown",
    ],
    [
      'no content',
      section('callout', { tone: 'tip' }),
      "section 1 ('site.callout-section'): it has no content, and nothing is shown",
    ],
    ['no file', section('media', { file: null, caption: 'C' }), 'it has no content'],
    [
      'an unknown tone',
      section('callout', { tone: 'loud', body: 'A' }),
      "the kind 'loud' is none of note, tip and warning",
    ],
    [
      'a value that is no text',
      section('quote', { text: 'A', name: { first: 'Ada' } }),
      "section 1 ('site.quote-section'): an object is not shown: a text is needed",
    ],
    [
      'a number in the place of formatted text',
      section('callout', { title: 'A', body: 5 }),
      "section 1 ('site.callout-section'): 5 is not shown: a text is needed",
    ],
    [
      'a video that no provider plays',
      section('embed', { href: 'https://films.example/1' }),
      "<oembed> is shown as a link to 'https://films.example/1'",
    ],
    [
      'a refused file',
      section('media', { file: upload('../x.png', 'image/png') }),
      'is no address for a file',
    ],
    [
      'an unknown component',
      { __component: 'shared.chart', title: 'Growth' },
      "'shared.chart': the site has no such section",
    ],
  ])('a section reports content that is not shown: %s', (_, source, reason) => {
    const { losses } = compileWithLosses(
      [section('text', { body: 'Before' }), source].slice(reason.includes('section 1') ? 1 : 0),
    );
    expect(losses).toMatchObject([{ reason: expect.stringContaining(reason) }]);
  });
});
