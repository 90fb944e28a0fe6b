import { describe, expect, it } from 'vitest';
import { TagIndex } from '../../server/cache/tags/tag-index.ts';
import { isBelow, parseTag } from '../../server/cache/tags/tags.ts';

const TAGS = [
  ...['articles', 'articles.any', 'articles:1#a', 'articles:1.card#a', 'articles:2.card#b', 'articles.lists'],
  ...['articles:10.card#a', 'articles:1.list.7#a', 'authors:1#a'],
  ...[
    'articles@guides.1#a',
    'articles@guides.1.first#b',
    'articles@guides.2.first#c',
    'articles.selected.tag.7',
  ],
  ...['articles@.tag.7.1#a', 'articles@.tag.7.1.total#a', 'articles@.tag.70.1#a', 'articles@.tag.8.1#a'],
  ...['articles@.published..tag.7.1#a', 'file:many', 'pages=how-to'],
];
const NAMES = TAGS.map(tag => parseTag(tag).name);
const ABOVE = [
  ...[
    'articles',
    'articles:1',
    'articles:10',
    'articles:3',
    'authors:1',
    'articles@guides',
    'articles@guides.1',
    'articles@',
    'articles@.',
    'articles@.tag',
  ],
  ...[
    'articles@.tag.7',
    'articles@.tag.7.1',
    'articles.selected',
    'articles.selected.tag',
    'nothing.at.all.here',
  ],
];

describe('the child tags of a tag', () => {
  const index = new TagIndex();
  index.add('one', TAGS);
  index.add('two', ['articles@.tag.7.1#b', 'articles@.tag.9.1']);

  it.for(ABOVE)('the tag index finds all child tags of %s', above => {
    const names = [...NAMES, 'articles@.tag.9.1'];
    expect(index.namesBelow(above).sort()).toEqual(names.filter(name => isBelow(name, above)).sort());
  });

  it('the tag index finds all child tags, even if there are more than it remembers for a type', () => {
    const other = new TagIndex();
    const tags = Array.from({ length: 150 }, (_, number) => `tags:1.part${number}`);
    other.add('one', tags);
    expect(other.namesBelow('tags:1')).toEqual(tags);
    other.remove('one', tags.slice(20));
    expect(other.namesBelow('tags:1')).toEqual(tags.slice(0, 20));
  });

  it('the tag index forgets a child tag with the last entry that has it', () => {
    const other = new TagIndex();
    other.add('one', TAGS);
    other.add('two', ['articles@.tag.7.1#b']);
    other.remove('one', TAGS);
    expect(other.namesBelow('articles@.tag')).toEqual(['articles@.tag.7.1']);
    other.remove('two', ['articles@.tag.7.1#b']);
    expect(other.namesBelow('articles@.tag')).toEqual([]);
    expect(other.outdatedBy('articles')).toEqual([]);
  });
});
