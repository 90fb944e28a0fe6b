import { describe, expect, it } from 'vitest';
import { purgedKeys, surrogateKey } from '../../server/cache/tags/surrogate-keys.ts';

const wordsOf = (tags: readonly string[], about: string | null = 'articles:1') =>
  surrogateKey(tags, about).split(' ');
const many = (type: string, count: number, part = '') =>
  Array.from({ length: count }, (_, index) => `${type}:${'x'.repeat(8)}${index}${part}#v`);

describe('the surrogate keys of a response', () => {
  it('surrogate keys have no character that a CDN refuses in a tag', () => {
    const tags = ["pages=who-we-are('us')*", 'articles@guides.1.first#v', 'articles:a%20b.card#v'];
    expect(wordsOf(tags)).toEqual([
      ...['articles-1', 'articles-a%20b.card', 'articles-guides.1.first', 'pages-who-we-are--us---', 'site'],
    ]);
  });

  it('surrogate keys omit parts of an entry if they name the whole entry', () => {
    expect(wordsOf(['landing#v', 'landing.subscribe#w', 'socials.all#v'])).toEqual([
      ...['articles-1', 'landing', 'site', 'socials.all'].sort(
        (a, b) => Number(a === 'site') - Number(b === 'site'),
      ),
    ]);
  });

  it('one key stands for more than 24 files, and a content type’s key for too many of its tags', () => {
    expect(wordsOf(many('file', 24))).toHaveLength(26);
    expect(wordsOf(many('file', 25))).toEqual(['articles-1', 'file', 'site']);
    const files = many('file', 60);
    expect(wordsOf([...files, 'settings#v', 'articles:1#v'])).toEqual([
      'articles-1',
      'file',
      'settings',
      'site',
    ]);
    expect(wordsOf([...files, ...many('articles', 40, '.card'), ...many('pages', 2)])).toEqual([
      ...['articles-1', 'articles', 'file', `pages-${'x'.repeat(8)}0`, `pages-${'x'.repeat(8)}1`, 'site'],
    ]);
  });

  it('a tag too long for a CDN is replaced by the tag of its type', () => {
    const long = `articles=${'a-'.repeat(60)}`;
    expect(wordsOf([long], long)).toEqual(['articles', 'site']);
    expect(wordsOf([long.slice(0, -1)], null)).toEqual([`articles-${'a-'.repeat(60).slice(0, -1)}`, 'site']);
  });

  it('a long id is cut to eight characters, except in the tag of its entry', () => {
    const id = 'fwgz9n967y6oebzdtnu16u';
    expect(wordsOf([`authors:${id}#v`, `tags:${id}.link#v`, `articles@.tag.${id}.1#v`])).toEqual([
      ...['articles-1', 'articles-.tag.fwgz9n96.1', `authors-${id}`, 'tags-fwgz9n96.link', 'site'],
    ]);
    expect([...purgedKeys([`tags:${id}.link`])]).toEqual(['tags-fwgz9n96.link', `tags-${id}`, 'tags']);
  });

  it('surrogate keys take at most 720 bytes', () => {
    const types = Array.from({ length: 200 }, (_, index) => `type-${index}`);
    expect(wordsOf(types)).toEqual(['articles-1', 'site']);
  });
});

describe('the surrogate keys of a purge', () => {
  it('a purge names the tags, their parents and their children', () => {
    const below = (name: string) => (name === 'articles:42' ? ['articles:42.card'] : []);
    expect([...purgedKeys(['articles:42', 'articles=how-to'], below)]).toEqual([
      ...['articles-42', 'articles', 'articles-42.card', 'articles-how-to'],
    ]);
    expect([...purgedKeys(['articles:42.card'])]).toEqual(['articles-42.card', 'articles-42', 'articles']);
  });

  it('a purge of a type or of everything purges the whole site', () => {
    expect([...purgedKeys(['articles:42', 'articles'])]).toEqual(['site']);
    expect([...purgedKeys(['*'])]).toEqual(['site']);
  });

  it.each(['articles:42', `articles=${'a'.repeat(200)}`, 'file:Xb0eY1c2', 'landing.contacts'])(
    'a purge reaches each response with the tag %s, even if its list of keys is shortened',
    name => {
      const purged = purgedKeys([name]);
      for (const others of [[], many('file', 60), many('articles', 60), many('authors', 60)]) {
        const words = wordsOf([name, ...others], null);
        expect(
          words.some(word => purged.has(word)),
          words.join(' '),
        ).toBe(true);
      }
    },
  );
});
