import fc from 'fast-check';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { describe, expect, it } from 'vitest';
import { embedJson, escapeJson } from '../../shared/payload/embed-json.ts';
import { runs } from '../support/in-full.ts';

const FORBIDDEN = /[<>&\u2028\u2029]/;

/** @returns the text of the only script of a document, read by an HTML parser as in a browser. */
function readByParser(json: string): string {
  const html = `<!doctype html><body><script type="application/json">${json}</script><p>after</p>`;
  const tree = unified().use(rehypeParse).parse(html);
  const root = tree.children.find(node => node.type === 'element');
  const body = root?.type === 'element' ? root.children.at(-1) : undefined;
  if (body?.type !== 'element') expect.fail('no body');
  expect(body.children.map(node => (node.type === 'element' ? node.tagName : node.type))).toEqual([
    'script',
    'p',
  ]);
  const [script] = body.children;
  const [text] = script?.type === 'element' ? script.children : [];
  return text?.type === 'text' ? text.value : '';
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '</script>',
        '<!--',
        '-->',
        '<script>',
        ']]>',
        '&lt;',
        '\u2028',
        '\u2029',
        '\\',
        '"',
        '\ud800',
        '<',
        '/',
      ),
    )
    .map(parts => parts.join('')),
);
/**
 * Keys have no backslash: `JSON.parse` of Node 24 can misread the keys after one (`json-parse-keys.test.ts`).
 */
const key = hostile.map(text => text.replaceAll('\\', '/'));

/** Generates JSON values from `text`, numbers, booleans, null, lists and objects. */
function jsonOf(text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.letrec(tie => ({
    json: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('json')),
      fc.dictionary(key, tie('json')),
    ),
  })).json;
}
const value = jsonOf(hostile);

describe('embedJson', () => {
  it.each([
    [
      '</script><script>alert(1)</script>',
      '"\\u003c/script\\u003e\\u003cscript\\u003ealert(1)\\u003c/script\\u003e"',
    ],
    ['<!-- a --> & b', '"\\u003c!-- a --\\u003e \\u0026 b"'],
    ['a\u2028b\u2029c', '"a\\u2028b\\u2029c"'],
    [{ '</script>': null }, '{"\\u003c/script\\u003e":null}'],
    [{ '\\<': '\\' }, '{"\\\\\\u003c":"\\\\"}'],
    [{ a: [1, true, 'x'] }, '{"a":[1,true,"x"]}'],
    [null, 'null'],
  ])('embedJson escapes the HTML characters of %j', (given, written) => {
    expect(embedJson(given)).toBe(written);
  });

  it('embedJson output parses to the same value, and cannot end its script element', () => {
    fc.assert(
      fc.property(value, given => {
        const written = embedJson(given);
        expect(written).not.toMatch(FORBIDDEN);
        // JSON has no -0, so the test compares with the output of JSON.stringify.
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('embedJson output of a plain JSON value parses to an equal value', () => {
    const plain = jsonOf(fc.string()).map(given => JSON.parse(JSON.stringify(given)));
    fc.assert(
      fc.property(plain, given => {
        expect(JSON.parse(embedJson(given))).toEqual(given);
      }),
    );
  });

  it('an HTML parser returns embedJson output unchanged', () => {
    // An HTML parser replaces lone surrogates by U+FFFD. JSON.stringify escapes them, so the parser never
    // sees one.
    fc.assert(
      fc.property(value, given => {
        const written = embedJson(given);
        expect(readByParser(written)).toBe(written);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('escapeJson', () => {
  it('escapeJson keeps the meaning of JSON', () => {
    fc.assert(
      fc.property(value, given => {
        const json = JSON.stringify(given);
        expect(escapeJson(json)).not.toMatch(FORBIDDEN);
        expect(JSON.parse(escapeJson(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  it('escapeJson changes nothing when it is applied a second time', () => {
    fc.assert(
      fc.property(value, given => {
        expect(escapeJson(embedJson(given))).toBe(embedJson(given));
      }),
    );
  });
});
