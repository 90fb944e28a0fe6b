import fc from 'fast-check';
import type { RootContent } from 'hast';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { describe, expect, it } from 'vitest';
import { readingMinutes } from '../../server/content/rich-text/read-rich-text.ts';
import { createRichTextCompiler } from '../../server/content/rich-text/rich-text-compiler.ts';
import { createMediaPolicy, safeHref } from '../../server/content/safe-address.ts';
import type { RichNode, RichText } from '../../shared/content/rich-text.ts';

const media = createMediaPolicy({
  contentBaseUrl: 'https://cms.example',
  mediaOrigins: ['https://cdn.example'],
});
const failures: unknown[] = [];
const { compile, headings, plainText } = createRichTextCompiler(media, error => failures.push(error));

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'aria-label', 'rel', 'target'],
  abbr: ['title'],
  code: ['className'],
  details: ['open'],
  img: ['src', 'alt', 'title', 'width', 'height', 'scaled'],
  input: ['type', 'checked', 'disabled', 'aria-label'],
  ol: ['start', 'reversed', 'type'],
  pre: ['aria-label', 'data-language'],
  span: ['className'],
  table: ['aria-label'],
  td: ['colSpan', 'rowSpan', 'align'],
  th: ['colSpan', 'rowSpan', 'align', 'scope'],
};
const TAGS = new Set(
  (
    'p h2 h3 h4 h5 h6 ul ol li blockquote pre code table caption thead tbody tfoot tr th td a img figure figcaption ' +
    'em strong s sub sup mark small abbr kbd hr br details summary del ins dl dt dd input span cite q'
  ).split(' '),
);

/** Whatever the source: nothing but what the schema names, and no address that the policy did not pass. */
function expectSafe(tree: RichText, ids = new Set<unknown>()): void {
  for (const [index, node] of tree.entries()) {
    if (typeof node === 'string') {
      expect(node).not.toBe('');
      expect(typeof tree[index - 1], 'texts are merged').not.toBe('string');
      continue;
    }
    const [tag, attributes, children] = node;
    expect(TAGS).toContain(tag);
    expect(attributes === null || Object.keys(attributes).length > 0).toBe(true);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      expect(['id', ...(ATTRIBUTES[tag] ?? [])]).toContain(name);
      expect(['string', 'number', 'boolean']).toContain(typeof value);
      if (name === 'href') expect(safeHref(value)).toBe(value);
      if (name === 'src') expect(media.mediaAddress(value)).toBe(value);
      if (name === 'className') expect(value).toMatch(/^(?:language-[\w+#.-]+|el-code-[a-z]+)$/);
      if (name === 'id') {
        expect(ids.has(value), `id ${value} is unique`).toBe(false);
        expect(['root', 'contacts', 'payload']).not.toContain(value);
        ids.add(value);
      }
    }
    expectSafe(children, ids);
  }
}

function toReact(tree: RichText): ReactNode[] {
  return tree.map((node, key) =>
    typeof node === 'string'
      ? node
      : createElement(
          node[0],
          // React would put a preload of a picture that is not lazy before everything else.
          { key, ...node[1], ...(node[0] === 'img' ? { loading: 'lazy', scaled: undefined } : {}) },
          ...(node[2].length > 0 ? [toReact(node[2])] : []),
        ),
  );
}

/** Tags and texts alone. */
type Shape = string | [string, Shape[]];
const shapeOfTree = (node: RichNode): Shape =>
  typeof node === 'string' ? node : [node[0], node[2].map(shapeOfTree)];
const shapeOfMarkup = (node: RootContent): Shape =>
  node.type === 'element'
    ? [node.tagName, node.children.map(shapeOfMarkup)]
    : node.type === 'text'
      ? node.value
      : node.type;

/** A browser that parses the server's markup has to see the tree that React will hydrate. */
function expectStable(tree: RichText): void {
  const markup = renderToStaticMarkup(createElement('div', null, toReact(tree)));
  const parsed = unified().use(rehypeParse, { fragment: true }).parse(markup);
  expect(parsed.children.map(shapeOfMarkup)).toEqual([['div', tree.map(shapeOfTree)]]);
}

function compileSafely(source: string): RichText {
  const tree = compile(source);
  expectSafe(tree);
  expectStable(tree);
  return tree;
}

describe('Markdown', () => {
  it.each<[string, string, RichText]>([
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
      'headings, h1 as h2',
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
        [
          'pre',
          { 'aria-label': 'Code 1' },
          [['code', { className: 'language-klingon' }, ['let a  = 1;\n\n']]],
        ],
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
              [
                ['input', { checked: true, type: 'checkbox', disabled: true, 'aria-label': 'Done' }, []],
                ' a',
              ],
            ],
          ],
        ],
      ],
    ],
    [
      'HTML inside',
      'a <b>b</b> H<sub>2</sub>O <u>c</u>',
      [['p', null, ['a ', ['strong', null, ['b']], ' H', ['sub', null, ['2']], 'O c']]],
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
      'a refused link is its text',
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
    ['a refused picture is not there', '![b](https://evil.example/c.png "Cap")', []],
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
    ['a comparison is no HTML', '< 5 and > 3', [['p', null, ['< 5 and > 3']]]],
    ['no comments', 'a<!-- b -->c', [['p', null, ['ac']]]],
  ])('%s', (_name, source, expected) => {
    expect(compileSafely(source)).toEqual(expected);
  });

  it('footnotes lead there and back', () => {
    const text = JSON.stringify(compileSafely('a[^1]\n\n[^1]: b'));
    expect(text).toContain('{"id":"fnref-1","href":"#fn-1"}');
    expect(text).toContain('"li",{"id":"fn-1"}');
    expect(text).toContain('"href":"#fnref-1"');
  });
});

describe('HTML', () => {
  it('has the check boxes of its lists and no other field, however many stand side by side', () => {
    const source =
      '<p>a<input type="text" value="x"><input><input type="radio">b <input type="checkbox" checked> c</p>';
    const tree = JSON.stringify(compileSafely(source));
    expect(tree.match(/"input"/g)).toHaveLength(1);
    expect(tree).toContain('"checked":true');
  });

  it.each<[string, string, RichText]>([
    [
      'paragraphs',
      ' <p>a</p>\n<p>b<br>c</p>\n',
      [
        ['p', null, ['a']],
        ['p', null, ['b', ['br', null, []], 'c']],
      ],
    ],
    [
      'is no Markdown',
      '<p>*a*</p>\n\n# b',
      [
        ['p', null, ['*a*']],
        ['p', null, ['\n\n# b']],
      ],
    ],
    ['after a comment', '<!-- x --><p>a</p>', [['p', null, ['a']]]],
    [
      'with a doctype',
      '<!doctype html><html><head><title>T</title></head><body><p>a</p></body>',
      [['p', null, ['a']]],
    ],
    [
      'loose text becomes a paragraph',
      '<b>a</b> b<h2>c</h2>d',
      [
        ['p', null, [['strong', null, ['a']], ' b']],
        ['h2', { id: 'c' }, [['a', { href: '#c' }, ['c']]]],
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
      'styles and classes go',
      '<p style="color:red" class="x" data-x="1" lang="de">a</p>',
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
      'parts of a list need a list',
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
    ['empty elements go', '<p></p><ul></ul><p> <b> </b></p><h2></h2>', []],
    [
      'sizes of pictures',
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
      [['p', null, [['a', { href: '/a' }, ['x']]]]],
    ],
  ])('%s', (_name, source, expected) => {
    expect(compileSafely(source)).toEqual(expected);
  });
});

describe('ids', () => {
  it('are readable, unique and none of the page itself, and links of the text follow them', () => {
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

  it('of anchors and dropped wrappers stay targets', () => {
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

describe('hostile sources', () => {
  const dirty = [
    '<script>alert(1)</script>',
    '<p>a<script>alert(1)</script></p>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
    '<script/x src=data:,alert(1)></script>',
    '<img src=x onerror=alert(1)>',
    '<img src="/uploads/a.png" onerror="alert(1)" onload=alert(1)>',
    '<img """><script>alert(1)</script>">',
    '<img src="javascript:alert(1)">',
    '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
    '<img src=`javascript:alert(1)`>',
    '<img/src/onerror=alert(1)>',
    '<img src=https://evil.example/pixel.gif>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href=" &#14; javascript:alert(1)">x</a>',
    '<a href="java&#x09;script:alert(1)">x</a>',
    '<a href="java&#10;script:alert(1)">x</a>',
    '<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">x</a>',
    '<a href="javascript&colon;alert(1)">x</a>',
    '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '<a href="\\\\evil.example">x</a>',
    '<a href="/\\evil.example">x</a>',
    '<a href="https://user:pass@evil.example">x</a>',
    '<a href="/a" onclick=alert(1) style="x:expression(1)" target=_blank ping=//evil.example>x</a>',
    '<svg onload=alert(1)></svg>',
    '<svg><script>alert(1)</script></svg>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<svg><animate onbegin=alert(1) attributeName=x></svg>',
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<math href="javascript:alert(1)">x</math>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="data:text/html,<script>alert(1)</script>"></object>',
    '<embed src="javascript:alert(1)">',
    '<style>@import "//evil.example/x.css";</style>',
    '<link rel=stylesheet href="javascript:alert(1)">',
    '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
    '<base href="//evil.example/">',
    '<form action="javascript:alert(1)"><input type=submit><button formaction="javascript:alert(1)">x</button></form>',
    '<input type=text autofocus onfocus=alert(1)>',
    '<select autofocus onfocus=alert(1)><option>x</select>',
    '<textarea autofocus onfocus=alert(1)>x</textarea>',
    '<video><source onerror=alert(1)></video>',
    '<audio src=x onerror=alert(1)>',
    '<details open ontoggle=alert(1)>x</details>',
    '<body onload=alert(1)>x',
    '<marquee onstart=alert(1)>x</marquee>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<template><img src=x onerror=alert(1)></template>',
    '<p id="root">a</p><p name="contacts" id="__proto__">b</p>',
    '<xss-element onclick=alert(1) is=x-y>x</xss-element>',
    '<isindex type=image src=1 onerror=alert(1)>',
    '<table background="javascript:alert(1)"><td background="javascript:alert(1)">x</table>',
    '<div style="background:url(javascript:alert(1))" onpointerenter=alert(1)>x</div>',
    '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
    '<?xml version="1.0"?><script>alert(1)</script>',
    '[x](javascript:alert(1))',
    '[x](JAVASCRIPT&colon;alert(1))',
    '[x](<java\nscript:alert(1)>)',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x]: javascript:alert(1)\n\n[x]',
    '![x](javascript:alert(1))',
    '![x](/uploads/a.png"onerror="alert(1))',
    '![x"onerror="alert(1)](/uploads/a.png)',
    '<javascript:alert(1)>',
    '[x](/a "t\\"onmouseover=\\"alert(1)")',
    '```"><script>alert(1)</script>\nx\n```',
    '```js onclick=alert(1)\nx\n```',
    'a\n\n<script>alert(1)</script>\n\nb',
    '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
  ];

  it.each(dirty.map(source => [source]))('%j', source => {
    const text = JSON.stringify(compileSafely(source));
    const attributes = text.match(/\{[^{}]*\}/g)?.join(' ') ?? '';
    expect(attributes).not.toMatch(/"on\w+":|"style":|"srcdoc":|(?:javascript|vbscript|data):/i);
    expect(failures.splice(0)).toEqual([]);
  });
});

it.each([[null], [undefined], [''], [' \n '], [5], [{}], [['a']]])('%j is no text', source => {
  expect(compile(source)).toEqual([]);
});

describe('headings', () => {
  it('lead to themselves, from the second level to the fourth', () => {
    expect(compileSafely('## A *b*\n\n##### E')).toEqual([
      ['h2', { id: 'a-b' }, [['a', { href: '#a-b' }, ['A ', ['em', null, ['b']]]]]],
      ['h5', { id: 'e' }, ['E']],
    ]);
    expect(compileSafely('## Über uns')).toEqual([
      ['h2', { id: 'über-uns' }, [['a', { href: '#%C3%BCber-uns' }, ['Über uns']]]],
    ]);
  });

  it('that lead elsewhere go on doing so', () => {
    expect(compileSafely('## A [b](/b)')).toEqual([
      ['h2', { id: 'a-b' }, ['A ', ['a', { href: '/b' }, ['b']]]],
    ]);
  });
});

describe('code', () => {
  it.each([
    ['json', 'JSON', '{"a": [1, true]}', ['name', 'number', 'keyword']],
    ['ts', 'TypeScript', 'const a: number = "x"; // c', ['keyword', 'string', 'comment']],
    ['JS', 'JavaScript', 'return 5', ['keyword', 'number']],
    ['bash', 'Shell', 'echo "a" # c', ['keyword', 'string', 'comment']],
    ['http', 'HTTP', 'POST /a HTTP/1.1\nAccept: */*', ['keyword', 'string', 'name']],
    ['python', 'Python', 'def a(): return 1', ['keyword', 'number']],
    ['sql', 'SQL', "select a from b where c = 'd'", ['keyword', 'string']],
    ['xml', 'XML', '<a b="c"/>', ['name', 'string']],
    ['html', 'HTML', '<p class="c">', ['name', 'string']],
    ['css', 'CSS', 'a { color: #fff }', ['keyword', 'name', 'number']],
    ['yml', 'YAML', 'a: b # c', ['name', 'string', 'comment']],
    ['diff', 'Diff', '+ a\n- b', ['added', 'deleted']],
  ])('in %s is named and coloured, and says what it said', (language, name, source, colours) => {
    const tree = compileSafely(`\`\`\`${language}\n${source}\n\`\`\``);
    expect(tree[0]?.[1]).toEqual({ 'aria-label': `Code 1, ${name}`, 'data-language': name });
    const text = JSON.stringify(tree);
    for (const colour of colours) expect(text).toContain(`{"className":"el-code-${colour}"}`);
    const textOf = (node: RichNode): string =>
      typeof node === 'string' ? node : node[2].map(textOf).join('');
    expect(tree.map(textOf).join('')).toBe(`${source}\n`);
  });

  it.each([
    ['of a language that nobody knows', 'constructor', 'a = 1'],
    ['of great length', 'json', '1, '.repeat(7_000).trim()],
    ['whose tokens are nested without end', 'python', 'f"{'.repeat(1_500)],
  ])('%s stays plain', (_name, language, source) => {
    const [node] = compileSafely(`\`\`\`${language}\n${source}\n\`\`\``);
    expect(node?.[2]).toEqual([['code', { className: `language-${language}` }, [`${source}\n`]]]);
    expect(failures.splice(0)).toEqual([]);
  });
});

it('tables are named by their number and caption, so that no two landmarks are alike', () => {
  const table = '<table><caption>Fees <b>2026</b></caption><tr><td>a</table>';
  expect(compileSafely(`${table}${table}`).map(node => node[1])).toEqual([
    { 'aria-label': 'Table 1: Fees 2026' },
    { 'aria-label': 'Table 2: Fees 2026' },
  ]);
});

it('a link opens a window of its own only where the content says so', () => {
  expect(
    compileSafely('<p><a href="https://a.example/" target="_blank">a</a><a href="/b" target="x">b</a></p>'),
  ).toEqual([
    [
      'p',
      null,
      [
        ['a', { target: '_blank', href: 'https://a.example/', rel: 'noopener noreferrer' }, ['a']],
        ['a', { href: '/b' }, ['b']],
      ],
    ],
  ]);
});

it.each([
  ['/uploads/a.png', true],
  ['/uploads/a.JPG', true],
  ['https://cdn.example/a.jpeg?v=2', true],
  ['/uploads/a.svg', false],
  ['/uploads/a.gif', false],
  ['/uploads/a.webp', false],
  ['/uploads/png', false],
  ['/favicon.png', false],
])('whether the site scales the picture %s: %s', (src, scaled) => {
  expect(compile(`![b](${src})`)).toEqual([
    ['p', null, [['img', { alt: 'b', src, ...(scaled ? { scaled } : {}) }, []]]],
  ]);
  expect(JSON.stringify(compile(`<img src="${src}" width=8000 height=5001>`))).not.toContain('scaled');
});

it('lists the headings for a table of contents', () => {
  const tree = compile('# One *two*\n\ntext\n\n### Three\n\n#### Four\n\n> ## Five');
  expect(headings(tree)).toEqual([
    { id: 'one-two', text: 'One two', level: 2 },
    { id: 'three', text: 'Three', level: 3 },
    { id: 'five', text: 'Five', level: 2 },
  ]);
});

it('gives the plain text with a space between blocks', () => {
  expect(plainText(compile('# A\n\nb **c**d\n\n- e\n- f\\\ng'))).toBe('A b cd e f g');
});

it('counts the minutes of reading', () => {
  expect(readingMinutes([])).toBe(1);
  expect(readingMinutes(compile('word '.repeat(220 * 3)))).toBe(3);
});

describe('for any source', () => {
  const tag = fc.constantFrom(
    ...[
      ...TAGS,
      'div',
      'span',
      'b',
      'i',
      'h1',
      'section',
      'form',
      'button',
      'script',
      'style',
      'svg',
      'math',
      'object',
    ],
    ...[
      'select',
      'option',
      'template',
      'noscript',
      'textarea',
      'iframe',
      'nobr',
      'font',
      'colgroup',
      'col',
      'ruby',
    ],
  );
  const attribute = fc.constantFrom(
    ...[
      '',
      ' id=root',
      ' id=a',
      ' name=a',
      ' href=/a',
      ' href=#a',
      ' href=javascript:x',
      ' src=/uploads/a.png',
    ],
    ...[
      ' src=//evil.example/a',
      ' title="T"',
      ' onclick=x',
      ' style=x',
      ' class=language-x',
      ' type=checkbox',
      ' colspan=2',
    ],
  );
  const piece = fc.oneof(
    fc.tuple(tag, attribute, attribute).map(([name, one, two]) => `<${name}${one}${two}>`),
    tag.map(name => `</${name}>`),
    fc.constantFrom('a', ' ', '\n', '\n\n', '&nbsp;', '<!--', '-->', '<', '>', '&#13;', '\0'),
  );
  const markdownPiece = fc.constantFrom(
    ...[
      '*',
      '**',
      '_',
      '`',
      '```',
      '~~',
      '[',
      ']',
      '(',
      ')',
      '![',
      '](/a)',
      '](javascript:x)',
      '](/uploads/a.png "T")',
    ],
    ...[
      '# ',
      '> ',
      '- ',
      '1. ',
      '- [ ] ',
      '| a |\n|---|\n',
      '|',
      '\n',
      '\n\n',
      '    ',
      'a',
      ' ',
      '<b>',
      '</b>',
      '<div>',
    ],
    ...[
      '</div>',
      '<p>',
      '[^1]',
      '[^1]: ',
      'www.a.example',
      '---',
      '\\',
      '&lt;',
      '<li>',
      '<td>',
      '<a href=/b>',
      '</a>',
    ],
  );
  const source = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(piece, { maxLength: 25 }).map(parts => parts.join('')),
    fc.array(markdownPiece, { maxLength: 25 }).map(parts => parts.join('')),
  );

  it('nothing throws, only safe elements come out, and a browser parses them to the same tree', () => {
    fc.assert(
      fc.property(source, text => {
        compileSafely(text);
      }),
      { numRuns: 1_500 },
    );
    expect(failures.splice(0)).toEqual([]);
  }, 60_000);
});
