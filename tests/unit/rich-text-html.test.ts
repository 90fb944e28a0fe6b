import { describe, expect, it } from 'vitest';
import type { RichText } from '../../shared/content/rich-text.ts';
import { compileSafely } from '../support/safe-rich-text.ts';

const HTML: readonly [string, string, RichText][] = [
  [
    'paragraphs',
    ' <p>a</p>\n<p>b<br>c</p>\n',
    [
      ['p', null, ['a']],
      ['p', null, ['b', ['br', null, []], 'c']],
    ],
  ],
  [
    'Markdown in HTML is text',
    '<p>*a*</p>\n\n# b',
    [
      ['p', null, ['*a*']],
      ['p', null, ['\n\n# b']],
    ],
  ],
  [
    'language and direction stay, those of an element without a form of its own with its content',
    '<p lang="ar" dir="rtl">a</p><p>b <span lang="de-CH" class="x">c</span></p><div dir="auto">d<h3 id="e">e</h3></div><p lang="no tag!" dir="up">f</p>',
    [
      ['p', { lang: 'ar', dir: 'rtl' }, ['a']],
      ['p', null, ['b ', ['span', { lang: 'de-CH' }, ['c']]]],
      ['p', { dir: 'auto' }, ['d']],
      ['h3', { dir: 'auto', id: 'e' }, ['e']],
      ['p', null, ['f']],
    ],
  ],
  ['a comment at the beginning is removed', '<!-- x --><p>a</p>', [['p', null, ['a']]]],
  [
    'a document loses its head',
    '<!doctype html><html><head><title>T</title></head><body><p>a</p></body>',
    [['p', null, ['a']]],
  ],
  [
    'loose text becomes a paragraph',
    '<b>a</b> b<h2>c</h2>d',
    [
      ['p', null, [['strong', null, ['a']], ' b']],
      ['h2', { id: 'c' }, ['c']],
      ['p', null, ['d']],
    ],
  ],
  [
    'divisions become paragraphs',
    '<div>a</div><section><div>b</div><p>c</p></section>',
    [
      ['p', null, ['a']],
      ['p', null, ['b']],
      ['p', null, ['c']],
    ],
  ],
  [
    'styles, classes and other attributes are removed',
    '<p style="color:red" class="x" data-x="1" title="t">a</p>',
    [['p', null, ['a']]],
  ],
  [
    'cells keep their spans',
    '<table><tr><td colspan=2 rowspan="x" style="a">a</table>',
    [
      [
        'table',
        { 'aria-label': 'Table 1' },
        [['tbody', null, [['tr', null, [['td', { colSpan: 2 }, ['a']]]]]]],
      ],
    ],
  ],
  [
    'list items outside a list become paragraphs, and text in a list an item',
    '<li>a</li><ul>b<li>c</li></ul>',
    [
      ['p', null, ['a']],
      [
        'ul',
        null,
        [
          ['li', null, ['b']],
          ['li', null, ['c']],
        ],
      ],
    ],
  ],
  [
    'a description list',
    '<dl><dt>a<dd>b</dl>',
    [
      [
        'dl',
        null,
        [
          ['dt', null, ['a']],
          ['dd', null, ['b']],
        ],
      ],
    ],
  ],
  [
    'a card link keeps its heading',
    '<a href="/a"><h3>T</h3></a>',
    [['a', { href: '/a' }, [['h3', { id: 't' }, ['T']]]]],
  ],
  [
    'spaces between inline elements stay',
    '<p><em>a</em> <em>b</em></p>',
    [['p', null, [['em', null, ['a']], ' ', ['em', null, ['b']]]]],
  ],
  ['empty elements are removed', '<p></p><ul></ul><p> <b> </b></p><h2></h2>', []],
  [
    'pictures keep their sizes',
    '<p><img src="/uploads/a.png" width=10 height="20" srcset="x" sizes="y">b</p>',
    [
      [
        'p',
        null,
        [['img', { width: 10, height: 20, src: '/uploads/a.png', alt: '', scaled: true }, []], 'b'],
      ],
    ],
  ],
  [
    "files of the content backend are the site's own",
    '<p><a href="https://cms.example/uploads/a.pdf">a</a></p>',
    [['p', null, [['a', { href: '/uploads/a.pdf' }, ['a']]]]],
  ],
  [
    'a link within a link is its text',
    '<p><a href="/a">x<object><a href="/b">y</a></object></a></p>',
    [['p', null, [['a', { href: '/a' }, ['xy']]]]],
  ],
];

describe('HTML', () => {
  it('compiled HTML keeps check boxes, and drops all other form fields', () => {
    const source =
      '<p>a<input type="text" value="x"><input><input type="radio">b <input type="checkbox" checked> c</p>';
    const tree = JSON.stringify(compileSafely(source));
    expect(tree.match(/"input"/g)).toHaveLength(1);
    expect(tree).toContain('"checked":true');
  });

  it.each(HTML)('HTML compiles to the expected tree: %s', (_name, source, expected) => {
    expect(compileSafely(source)).toEqual(expected);
  });
});

describe('ids', () => {
  it('heading ids are readable and unique, and links in the text follow them', () => {
    const tree = compileSafely(
      '# Fees\n\n## Fees\n\n## Contacts\n\n## Root\n\n<h2 id="fees">Other</h2>\n\n## !\n\n## Über uns\n\n' +
        '[a](#fees) [b](#contacts) [c](#Fees-1) [d](#%C3%BCber-uns) [e](#subscribe)',
    );
    const ids = tree.flatMap(node => (typeof node !== 'string' && node[1]?.id ? [node[1].id] : []));
    expect(ids).toEqual([
      'fees',
      'fees-1',
      'section-contacts',
      'section-root',
      'fees-2',
      'section',
      'über-uns',
    ]);
    const links = JSON.stringify(tree.at(-1)).match(/"href":"[^"]*"/g);
    expect(links).toEqual([
      '"href":"#fees"',
      '"href":"#section-contacts"',
      '"href":"#fees-1"',
      '"href":"#%C3%BCber-uns"',
      '"href":"#subscribe"',
    ]);
  });

  it('ids of anchors and of removed wrappers stay link targets', () => {
    expect(
      compileSafely(
        '<a name="Top"></a><div id="prices"><p>a</p></div><p><span id="b">c</span><a href="#Top">d</a></p>',
      ),
    ).toEqual([
      ['p', null, [['span', { id: 'section-Top' }, []]]],
      ['p', { id: 'prices' }, ['a']],
      ['p', null, [['span', { id: 'b' }, []], 'c', ['a', { href: '#section-Top' }, ['d']]]],
    ]);
  });
});
