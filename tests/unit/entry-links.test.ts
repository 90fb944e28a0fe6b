import { describe, expect, it } from 'vitest';
import { entryLinksIn, entryOfLink, isEntryLink, withPaths } from '../../server/addresses/entry-links.ts';
import { compileWithLosses } from '../support/safe-rich-text.ts';

const LINK = 'entry:articles:a1b2c3';
const ANCHOR = ['a', { href: LINK }, ['the ', ['strong', null, ['fees']]]];

describe('a link to an entry', () => {
  it('is read from Markdown, from HTML and from Blocks', () => {
    const blocks = [
      {
        type: 'paragraph',
        children: [{ type: 'link', url: LINK, children: [{ type: 'text', text: 'fees' }] }],
      },
    ];
    for (const source of [`[fees](${LINK})`, `<p><a href="${LINK}">fees</a></p>`, blocks]) {
      const { tree, losses } = compileWithLosses(source);
      expect(tree).toEqual([['p', null, [['a', { href: LINK }, ['fees']]]]]);
      expect(losses).toEqual([]);
    }
  });

  it.each([
    'entry:',
    'entry:articles',
    'entry:articles:',
    'entry:articles:a/b',
    'entry:Articles:1',
    'entry:a:1#x',
  ])('another form, %s, is refused like an unknown protocol', address => {
    expect(isEntryLink(address)).toBe(false);
    const { tree, losses } = compileWithLosses(`[fees](${address})`);
    expect(tree).toEqual([['p', null, ['fees']]]);
    expect(losses).toHaveLength(1);
  });

  it('names a type and an id', () => {
    expect(entryOfLink(LINK)).toEqual({ type: 'articles', id: 'a1b2c3' });
  });

  it('is found in the JSON of content, and not where a text mentions it', () => {
    expect(entryLinksIn(JSON.stringify({ body: [ANCHOR], title: `"href":"${LINK}"`, code: LINK }))).toEqual([
      LINK,
    ]);
  });

  it('gets a path wherever it stands in content, and the content itself stays as it is', () => {
    const content = { list: [{ answer: [['p', null, [ANCHOR]]] }], byId: new Map([['1', [ANCHOR]]]) };
    const before = structuredClone(content);
    const linked = ['a', { href: '/fees' }, ['the ', ['strong', null, ['fees']]]];
    expect(withPaths(content, () => '/fees')).toEqual({
      list: [{ answer: [['p', null, [linked]]] }],
      byId: new Map([['1', [linked]]]),
    });
    expect(content).toEqual(before);
  });

  it('without a path becomes words', () => {
    expect(withPaths([ANCHOR], () => null)).toEqual([['span', null, ANCHOR[2]]]);
  });
});
