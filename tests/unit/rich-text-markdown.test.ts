import { describe, expect, it } from 'vitest';
import type { RichText } from '../../shared/content/rich-text.ts';
import { compileSafely } from '../support/safe-rich-text.ts';

const MARKDOWN: readonly [string, string, RichText][] = [
  [
    'paragraphs',
    'One\n\nTwo',
    [
      ['p', null, ['One']],
      ['p', null, ['Two']],
    ],
  ],
  [
    'emphasis',
    '*a* **b** ~~c~~ `d` ~5~',
    [
      [
        'p',
        null,
        [
          ['em', null, ['a']],
          ' ',
          ['strong', null, ['b']],
          ' ',
          ['del', null, ['c']],
          ' ',
          ['code', null, ['d']],
          ' ~5~',
        ],
      ],
    ],
  ],
  [
    'headings, with h1 as h2',
    '# A\n\n### B',
    [
      ['h2', { id: 'a' }, [['a', { href: '#a' }, ['A']]]],
      ['h3', { id: 'b' }, [['a', { href: '#b' }, ['B']]]],
    ],
  ],
  [
    'lists without white space between their parts',
    '- a\n- b\n  1. c',
    [
      [
        'ul',
        null,
        [
          ['li', null, ['a']],
          ['li', null, ['b\n', ['ol', null, [['li', null, ['c']]]]]],
        ],
      ],
    ],
  ],
  ['a list that starts elsewhere', '3. a', [['ol', { start: 3 }, [['li', null, ['a']]]]]],
  [
    'a quotation, a rule and a hard break',
    '> q\n\n---\n\na  \nb',
    [
      ['blockquote', null, [['p', null, ['q']]]],
      ['hr', null, []],
      ['p', null, ['a', ['br', null, []], '\nb']],
    ],
  ],
  [
    'code with its language',
    '```klingon title="x"\nlet a  = 1;\n\n```\n\n    plain',
    [
      ['pre', { 'aria-label': 'Code 1' }, [['code', { className: 'language-klingon' }, ['let a  = 1;\n\n']]]],
      ['pre', { 'aria-label': 'Code 2' }, [['code', null, ['plain\n']]]],
    ],
  ],
  [
    'a table',
    '| a | b |\n|:--|--:|\n| 1 | |',
    [
      [
        'table',
        { 'aria-label': 'Table 1' },
        [
          [
            'thead',
            null,
            [
              [
                'tr',
                null,
                [
                  ['th', { align: 'left' }, ['a']],
                  ['th', { align: 'right' }, ['b']],
                ],
              ],
            ],
          ],
          [
            'tbody',
            null,
            [
              [
                'tr',
                null,
                [
                  ['td', { align: 'left' }, ['1']],
                  ['td', { align: 'right' }, []],
                ],
              ],
            ],
          ],
        ],
      ],
    ],
  ],
  [
    'a task list',
    '- [x] a',
    [
      [
        'ul',
        null,
        [
          [
            'li',
            null,
            [['input', { checked: true, type: 'checkbox', disabled: true, 'aria-label': 'Done' }, []], ' a'],
          ],
        ],
      ],
    ],
  ],
  [
    'HTML inside',
    'a <b>b</b> H<sub>2</sub>O <u>c</u>',
    [['p', null, ['a ', ['strong', null, ['b']], ' H', ['sub', null, ['2']], 'O ', ['u', null, ['c']]]]],
  ],
  [
    'blocks of HTML inside',
    'a\n\n<details open>\n<summary>S</summary>\n\n*b*\n\n</details>',
    [
      ['p', null, ['a']],
      [
        'details',
        { open: true },
        [
          ['summary', null, ['S']],
          ['p', null, [['em', null, ['b']]]],
        ],
      ],
    ],
  ],
  [
    'links, the external ones without referrer',
    '[a](/b "T") <https://example.com/x>',
    [
      [
        'p',
        null,
        [
          ['a', { title: 'T', href: '/b' }, ['a']],
          ' ',
          ['a', { href: 'https://example.com/x', rel: 'noopener noreferrer' }, ['https://example.com/x']],
        ],
      ],
    ],
  ],
  [
    'a refused link becomes its text',
    '[*a* b](javascript:alert(1))',
    [['p', null, [['em', null, ['a']], ' b']]],
  ],
  [
    'a picture in a text',
    'a ![b](uploads/c.png?x) d',
    [['p', null, ['a ', ['img', { alt: 'b', src: '/uploads/c.png', scaled: true }, []], ' d']]],
  ],
  [
    'a picture with a title is a figure',
    '![b](https://cdn.example/c.png "Cap")',
    [
      [
        'figure',
        null,
        [
          ['img', { alt: 'b', src: 'https://cdn.example/c.png', scaled: true }, []],
          ['figcaption', null, ['Cap']],
        ],
      ],
    ],
  ],
  [
    'a refused picture leaves its words',
    '![b](https://evil.example/c.png "Cap")',
    [['p', null, ['b – Cap']]],
  ],
  ['a refused picture without words is removed', '![](https://evil.example/c.png)', []],
  [
    'a table with a row that is longer than its header',
    '| a |\n|---|\n| b | c | |\n',
    [
      [
        'table',
        { 'aria-label': 'Table 1' },
        [
          [
            'thead',
            null,
            [
              [
                'tr',
                null,
                [
                  ['th', null, ['a']],
                  ['th', null, []],
                ],
              ],
            ],
          ],
          [
            'tbody',
            null,
            [
              [
                'tr',
                null,
                [
                  ['td', null, ['b']],
                  ['td', null, ['c']],
                ],
              ],
            ],
          ],
        ],
      ],
    ],
  ],
  [
    'an autolink of GFM',
    'www.example.com',
    [
      [
        'p',
        null,
        [['a', { href: 'http://www.example.com/', rel: 'noopener noreferrer' }, ['www.example.com']]],
      ],
    ],
  ],
  [
    'an e-mail address in a table',
    '| <a@b.example> c@d.example |\n|---|',
    [
      [
        'table',
        { 'aria-label': 'Table 1' },
        [
          [
            'thead',
            null,
            [
              [
                'tr',
                null,
                [
                  [
                    'th',
                    null,
                    [
                      ['a', { href: 'mailto:a@b.example' }, ['a@b.example']],
                      ' ',
                      ['a', { href: 'mailto:c@d.example' }, ['c@d.example']],
                    ],
                  ],
                ],
              ],
            ],
          ],
        ],
      ],
    ],
  ],
  ['a less-than sign is text', '< 5 and > 3', [['p', null, ['< 5 and > 3']]]],
  ['comments are removed', 'a<!-- b -->c', [['p', null, ['ac']]]],
];

describe('Markdown', () => {
  it.each(MARKDOWN)('Markdown compiles to the expected tree: %s', (_name, source, expected) => {
    expect(compileSafely(source)).toEqual(expected);
  });

  it('Markdown links footnotes and their references to each other', () => {
    const text = JSON.stringify(compileSafely('a[^1]\n\n[^1]: b'));
    expect(text).toContain('{"id":"fnref-1","href":"#fn-1"}');
    expect(text).toContain('"li",{"id":"fn-1"}');
    expect(text).toContain('"href":"#fnref-1"');
  });
});
