import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMediaPolicy } from '../../server/addresses/safe-address.ts';
import { readSimpleText } from '../../server/rich-text/sources/simple-text.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { compileWithLosses } from '../support/safe-rich-text.ts';

const media = createMediaPolicy({
  contentBaseUrl: 'https://cms.example',
  mediaOrigins: ['https://cdn.example'],
});

/**
 * Asserts that a source has the same tree with and without the parsers. @returns whether the parsers were
 * skipped.
 */
function expectSame(source: string): boolean {
  const tree = readSimpleText(source, media);
  if (tree !== null) expect({ source, tree, losses: [] }).toEqual({ source, ...compileWithLosses(source) });
  return tree !== null;
}

it.each([
  'Within seconds. It **depends** on [both banks](/blog/guides/hours#night): see “before”.\nAnd a second line',
  '### Still wondering?\n\nThe [guides](/blog/guides) answer:\n\n- how it [travels](https://example.com/a)\n- **which** one\n\nSee [above](#still-wondering).\n',
  "## Contacts\n\n#### It's 5 more",
  '<p>Up to <strong>one</strong> business day.</p>\n<p>Yes: 10&nbsp;USD &amp; <i>more</i></p>',
  'Grüße, nein',
])('%j compiles to the same tree without the parsers', source => {
  expect(expectSame(source)).toBe(true);
});

it.each([
  ['an indented line', 'a\n  b'],
  ['a picture', 'a ![b](/uploads/c.png)'],
  ['a bare address', 'see www.example.com now'],
  ['a heading with a bare address', '## www.a'],
  ['a bare mail address', 'write to me@example.com'],
  ['a numbered list', '1. a'],
  ['a list in two parts', '- aa\n\n- bb'],
  ['an underlined heading', 'A\n-'],
  ['two headings of one name', '## A\n\n## A'],
  ['a space inside of strong marks', 'a **b ** c'],
  ['punctuation inside of strong marks', 'a**.b**'],
  ['a code span', 'a `b`'],
  ['an empty paragraph', '<p> </p>'],
  ['a tag with attributes', '<p class="a">b</p>'],
  ['a script', '<p>a<script>b</script></p>'],
  ['a relative link', '[aa](bb)'],
  ['a carriage return', 'a\r\nb'],
  ['a lone surrogate', '<p>a\ud800</p>'],
  ['a long text', 'a'.repeat(4_001)],
])('readSimpleText refuses %s, which needs the parsers', (_name, source) => {
  expect(readSimpleText(source, media)).toBeNull();
});

it('the short texts of the sample landing page need no parsers', () => {
  const landing = JSON.parse(readFileSync(path.join(FIXTURE_CONTENT, 'landing.json'), 'utf8'));
  const answers: string[] = landing.faqBlock.items.map(({ answer }: { answer: string }) => answer);
  expect([...answers, landing.faqBlockContent].filter(source => !expectSame(source))).toEqual([]);
});

/** Parts of simple texts, and characters that make a text complex. */
const PARTS = [
  ...[
    'word',
    'Two words',
    'é',
    '7',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\n\n\n',
    '. ',
    ', ',
    ': ',
    '-',
    ' – ',
    '!',
    '?',
    "'",
    '"',
    '(',
    ')',
  ],
  ...[
    '# ',
    '## ',
    '### ',
    '- ',
    '\n- ',
    '\n## ',
    '1. ',
    '> ',
    '**',
    '**bold**',
    '** b**',
    '**b **',
    '**.b**',
    '**b-**',
    '*',
    '_',
    '`',
    '[',
    ']',
    '](',
    '~~',
    '|',
  ],
  ...[
    '[link](/a)',
    '[x](/a)',
    '[ww](#two-words)',
    '[to](https://example.com/a.b)',
    '[up](/uploads/a.png)',
    '[bb](//c)',
    '[dd](/../e)',
  ],
  ...[
    '<p>',
    '</p>',
    '<p>a</p>',
    '<p>',
    '</p>',
    '<strong>',
    '</strong>',
    '<b>c</b>',
    '<em>d e</em>',
    '<br>',
    '<i> f</i>',
  ],
  ...[
    '&',
    '&nbsp;',
    '&amp;',
    '&lt;',
    '\u00a0',
    '\t',
    '\0',
    '\\',
    '\ud800',
    'http:',
    'https://a.example',
    'www.',
    '@',
    '=',
    '\r',
    'contacts',
  ],
];

it('any text that skips the parsers has the same tree with them', () => {
  let read = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      (parts, isHtml) => {
        const source = parts.join('');
        read += Number(expectSame(isHtml ? `<p>${source}</p>` : source));
      },
    ),
    { seed: 15, numRuns: 6_000 },
  );
  expect(read).toBeGreaterThan(300);
});
