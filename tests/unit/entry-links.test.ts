import { describe, expect, it } from 'vitest';
import { entryLinksIn, entryOfLink, isEntryLink, withPaths } from '../../server/addresses/entry-links.ts';
import { compileWithLosses } from '../support/safe-rich-text.ts';

const LINK = 'entry:articles:a1b2c3';
const ANCHOR = ['a', { href: LINK }, ['the ', ['strong', null, ['fees']]]];

describe('a link to an entry', () => {
  it('a link to an entry is recognised in Markdown, in HTML and in Blocks', () => {
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
  ])('a malformed entry link, %s, is refused like an unknown protocol', address => {
    expect(isEntryLink(address)).toBe(false);
    const { tree, losses } = compileWithLosses(`[fees](${address})`);
    expect(tree).toEqual([['p', null, ['fees']]]);
    expect(losses).toHaveLength(1);
  });

  it('a link to an entry has a type and an id', () => {
    expect(entryOfLink(LINK)).toEqual({ type: 'articles', id: 'a1b2c3' });
  });

  it('a link to an entry is found in the JSON of content, but not in texts that mention it', () => {
    expect(entryLinksIn(JSON.stringify({ body: [ANCHOR], title: `"href":"${LINK}"`, code: LINK }))).toEqual([
      LINK,
    ]);
  });

  it('withPaths gives every entry link its path in a copy of the content', () => {
    const content = { list: [{ answer: [['p', null, [ANCHOR]]] }], byId: new Map([['1', [ANCHOR]]]) };
    const before = structuredClone(content);
    const linked = ['a', { href: '/fees' }, ['the ', ['strong', null, ['fees']]]];
    expect(withPaths(content, () => '/fees')).toEqual({
      list: [{ answer: [['p', null, [linked]]] }],
      byId: new Map([['1', [linked]]]),
    });
    expect(content).toEqual(before);
  });

  it('a link to an entry without a path becomes plain text', () => {
    expect(withPaths([ANCHOR], () => null)).toEqual([['span', null, ANCHOR[2]]]);
  });
});
