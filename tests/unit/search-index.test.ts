import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../server/search/index/search-database.ts';
import { SearchIndex } from '../../server/search/index/search-index.ts';
import type { SearchDocument, SearchQuery, SearchRow } from '../../server/search/search-types.ts';

const NAMES = {
  categories: [
    { id: 'c1', name: 'Guides', slug: 'guides' },
    { id: 'c2', name: 'News', slug: 'news' },
  ],
  authors: [{ id: 'a1', name: 'Ada Löwe' }],
  tags: [{ id: 't1', name: 'Reconciliation' }],
};

function row(id: string, fields: Partial<SearchDocument> = {}, text = ''): SearchRow {
  const base = { slug: id, title: id, h1: null, description: null, category: 'c1', author: null, tags: [] };
  const undated = { date: null, from: null, until: null };
  return {
    id,
    stamp: '2026-01-01T00:00:00.000Z',
    document: { ...base, ...undated, ...fields, body: JSON.stringify(text) },
  };
}

const it = test
  .extend('dir', async ({}, { onCleanup }) => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'search-'));
    onCleanup(() => rm(dir, { recursive: true }));
    return dir;
  })
  .extend('clock', async () => ({ now: Date.parse('2026-06-01T00:00:00Z') }))
  .extend('index', async ({ dir, clock }, { onCleanup }) => {
    const db = openDatabase(path.join(dir, 'index.db'));
    const index = new SearchIndex(db, () => clock.now);
    onCleanup(() => {
      if (db.isOpen) index.close();
    });
    index.names(NAMES);
    return index;
  })
  .extend('find', async ({ index }) => (text: string, query: Partial<SearchQuery> = {}) => {
    return index.find({ text, type: null, category: null, page: 1, size: 10, hasSnippets: true, ...query });
  })
  .extend('slugs', async ({ find }) => (text: string, query: Partial<SearchQuery> = {}) => {
    return find(text, query).hits.map(({ slug }) => slug);
  });

describe('the index of the search', () => {
  it('the search ranks titles, headings, descriptions, authors and texts in this order', ({
    index,
    slugs,
  }) => {
    index.put('articles', [
      row('in-text', {}, 'One two settlement four five'),
      row('in-description', { description: 'A settlement' }),
      row('in-heading', {}, '## The settlement\n\nText'),
      row('in-title', { title: 'Settlement' }),
      row('not', {}, 'Nothing of it'),
    ]);
    const found = slugs('settlement');
    expect(found[0]).toBe('in-title');
    expect(found.at(-1)).toBe('in-text');
    expect(found.toSorted()).toEqual(['in-description', 'in-heading', 'in-text', 'in-title']);
    index.put('articles', [row('by', { author: { id: 'a1', name: 'Ada Löwe' } })]);
    expect(slugs('lowe')).toEqual(['by']);
  });

  it('the search puts products and pages before articles when the words are in their names', ({
    index,
    slugs,
  }) => {
    index.put('articles', [row('news', { title: 'Payouts' }), row('story', {}, 'On payouts')]);
    index.put('business-solutions', [
      row('product', { title: 'Payouts to wallets and to many banks', category: null }),
      row('other', { category: null }, 'Unlike payouts'),
    ]);
    const found = slugs('payouts');
    expect(found.slice(0, 2)).toEqual(['product', 'news']);
    expect(found.slice(2).toSorted()).toEqual(['other', 'story']);
  });

  it('the search matches prefixes, stems, any case and letters without accents', ({ index, slugs }) => {
    index.put('pages', [
      row('p', { category: null }, 'Paying invoices at the Café Zürich. المدفوعات عبر الحدود'),
    ]);
    for (const query of [
      'invo',
      'invoice',
      'pays',
      'CAFE',
      'zurich',
      'zürich',
      'المدفوعات',
      'cafe invoicing',
    ])
      expect(slugs(query), query).toEqual(['p']);
    expect(slugs('voice')).toEqual([]);
  });

  it('the search corrects a word that no text has', ({ index, find }) => {
    index.put('pages', [
      row('p', { category: null, title: 'Settlement' }),
      row('q', { category: null, title: 'Fees' }),
    ]);
    for (const query of ['setlement', 'settlememt', 'settlemnet', 'settleement', 'xettlement']) {
      const { hits, corrected, nearest } = find(query);
      expect(
        hits.map(({ slug }) => slug),
        query,
      ).toEqual(['p']);
      expect({ corrected, nearest }).toEqual({ corrected: 'settlement', nearest: ['settlement'] });
    }
    expect(find('setlemnet')).toMatchObject({ total: 0, corrected: null, nearest: [] });
    expect(find('settlement').corrected).toBeNull();
  });

  it('the search finds the entries with most of the words when none has all of them', ({ index, find }) => {
    const filling = Array.from({ length: 8 }, (_, at) => row(`other-${at}`, {}, 'How do I begin'));
    index.put('articles', [
      ...filling,
      row('one', { title: 'Fees' }, 'How do I read it'),
      row('two', { title: 'Reports' }, 'A statement of each fee'),
      row('three', { title: 'Statement' }, 'Other words'),
    ]);
    const of = (text: string, query = {}) => {
      const { hits, isPartial, nearest, corrected } = find(text, query);
      return { slugs: hits.map(({ slug }) => slug), isPartial, nearest, corrected };
    };
    const sound = { isPartial: true, nearest: [], corrected: null };
    expect(of('fee statement xyzzyx')).toEqual({ ...sound, slugs: ['two'] });
    // Words that most texts have do not count, and are not suggested.
    expect(of('how do i see fees in a statement')).toEqual({ ...sound, slugs: ['two'] });
    // Among texts with equal numbers of words, title matches decide.
    expect(of('fee xyzzyx')).toEqual({ ...sound, slugs: ['one', 'two'] });
    expect(of('fee statement').isPartial).toBe(false);
    expect(of('fees statment xyzzyx')).toEqual({ ...sound, slugs: ['two'], nearest: ['statement'] });
    expect(of('fee xyzzyx', { type: 'pages' })).toMatchObject({ slugs: [], isPartial: false, nearest: [] });
    expect(of('xyzzyx yxxyxy')).toMatchObject({ slugs: [], isPartial: false, nearest: [] });
  });

  it('an ASCII query finds letters that Unicode does not decompose', ({ index, find }) => {
    index.put('articles', [
      row('a', { title: 'Zażółć gęślą jaźń' }, 'W Łodzi i Łódź. Straße. Øl. Æble. Đurđević'),
      row('b', { title: 'Lodz' }),
    ]);
    const slugs = (text: string) => find(text).hits.map(({ slug }) => slug);
    for (const query of ['zazolc', 'ZAŻÓŁĆ', 'zazo', 'strasse', 'straße', 'aeble', 'æble', 'øl', 'durdevic'])
      expect({ query, slugs: slugs(query), corrected: find(query).corrected }).toEqual({
        ...{ query, slugs: ['a'], corrected: null },
      });
    expect(slugs('lodz')).toEqual(['b', 'a']);
    expect(slugs('Łódź')).toEqual(['b', 'a']);
    expect(find('zazolc').hits[0]?.title).toEqual(['', 'Zażółć', ' gęślą jaźń']);
    // Typos in such words are corrected, too.
    expect(slugs('zazolx')).toEqual(['a']);
  });

  it('the search finds entries by the names of their tags, and follows changes of the tags', ({
    index,
    slugs,
    find,
  }) => {
    index.put('articles', [
      row('a', { tags: ['t1', 't2'] }),
      row('b', { tags: ['t1'], from: Date.parse('2030-01-01') }),
    ]);
    expect(slugs('reconciliation')).toEqual(['a']);
    expect(slugs('reconcilation')).toEqual(['a']);
    const rename = (...tags: { id: string; name: string }[]) => index.names({ ...NAMES, tags });
    rename({ id: 't1', name: 'Matching' }, { id: 't2', name: 'Ledgers' });
    expect(find('reconciliation').total).toBe(0);
    expect(slugs('matching ledgers')).toEqual(['a']);
    // An article without its category cannot be found. Its tags are kept.
    index.names({ ...NAMES, categories: [], tags: [{ id: 't1', name: 'Matching' }] });
    index.names({ ...NAMES, tags: [{ id: 't1', name: 'Matching' }] });
    expect(slugs('matching')).toEqual(['a']);
    expect(slugs('ledgers')).toEqual([]);
    index.put('articles', [row('a')]);
    expect(slugs('matching')).toEqual([]);
  });

  it('an entry is found only from its start to its end date, even if its category was missing meanwhile', ({
    index,
    clock,
    slugs,
    find,
  }) => {
    const [begin, end] = [Date.parse('2026-06-02'), Date.parse('2026-06-03')];
    index.put('articles', [row('offer', { from: begin, until: end }), row('other', { until: end })]);
    expect([slugs('offer'), slugs('other')]).toEqual([[], ['other']]);
    expect(find('offer').until).toBe(begin);
    clock.now = begin;
    expect(slugs('offer')).toEqual(['offer']);
    expect(find('offer').until).toBe(end);
    index.names({ ...NAMES, categories: [] });
    index.names(NAMES);
    expect(slugs('offer')).toEqual(['offer']);
    clock.now = end;
    expect([slugs('offer'), slugs('other'), find('offer').until]).toEqual([[], [], null]);
    index.names({ ...NAMES, categories: [] });
    index.names(NAMES);
    expect(slugs('offer')).toEqual([]);
    index.put('articles', [row('offer', { from: begin })]);
    expect(slugs('offer')).toEqual(['offer']);
  });

  it('the search matches the beginning of a word whose stem differs', ({ index, slugs, find }) => {
    index.put('pages', [
      row('p', { category: null, title: 'Payouts' }),
      row('b', { category: null }, 'A business'),
    ]);
    // Stems: `pay` becomes `pai`, `busine` becomes `busin`, `business` becomes `busi`.
    for (const query of ['pay', 'payo', 'payouts']) expect(slugs(query), query).toEqual(['p']);
    for (const query of ['bus', 'busi', 'busin', 'busine', 'busines', 'business', 'businesses'])
      expect(find(query), query).toMatchObject({ total: 1, corrected: null });
    expect(find('pay').hits[0]?.title).toEqual(['', 'Payouts', '']);
    expect(slugs('payx')).toEqual([]);
    index.put('pages', [
      row('m', { category: null }, 'Payables, payback, payers, payloads, payments, payrolls and payslips.'),
    ]);
    expect(slugs('pay')).toEqual(['p', 'm']);
  });

  it('the search shows texts without the markup of Markdown and HTML', ({ index, find }) => {
    index.put('pages', [
      row(
        'p',
        { category: null },
        '- See [the **settlement**](/a "Title"), or <em>another</em>.\n- `code`: ![picture](/b.png)<br>end',
      ),
    ]);
    expect(find('settlement').hits[0]?.snippet.join('')).toBe(
      'See the settlement, or another. code: picture end',
    );
  });

  it('the index marks matches in titles and in the best part of the text', ({ index, find }) => {
    const filling = 'word '.repeat(200);
    index.put('articles', [
      row('a', { title: 'On refunds' }, `${filling} here a <b>refund</b> is made ${filling}`),
    ]);
    const [hit] = find('refund').hits;
    expect(hit?.title).toEqual(['On ', 'refunds', '']);
    expect(hit?.snippet).toHaveLength(3);
    expect(hit?.snippet[1]).toBe('refund');
    expect(hit?.snippet.join('')).toContain('here a refund is made');
    expect(hit?.snippet.join('').length).toBeLessThan(300);
  });

  it('the search filters by type and category, and splits the hits into pages', ({ index, find, slugs }) => {
    index.put(
      'articles',
      Array.from({ length: 25 }, (_, at) => row(`a${at}`, { title: `Fee ${at}` })),
    );
    index.put('articles', [row('n', { title: 'Fee', category: 'c2' })]);
    index.put('commerces', [row('s', { title: 'Fee', category: null })]);
    expect(find('fee').total).toBe(27);
    expect(slugs('fee', { type: 'commerces' })).toEqual(['s']);
    expect(slugs('fee', { category: 'news' })).toEqual(['n']);
    expect(slugs('fee', { category: 'none' })).toEqual([]);
    const pages = [1, 2, 3].map(page => slugs('fee', { page }));
    expect(pages.map(page => page.length)).toEqual([10, 10, 7]);
    expect(new Set(pages.flat()).size).toBe(27);
    // Each hit marks its title.
    for (const { slug, title } of find('fee', { category: 'guides' }).hits)
      expect(title.join('')).toBe(`Fee ${slug.slice(1)}`);
  });

  it('the index replaces and removes entries, and keep() drops all others', ({ index, slugs }) => {
    index.put('articles', [
      row('a', { title: 'Fee' }),
      row('b', { title: 'Fee' }),
      row('c', { title: 'Fee' }),
    ]);
    index.put('articles', [row('a', { title: 'Refund', slug: 'new-slug' })]);
    expect(slugs('refund')).toEqual(['new-slug']);
    index.remove('articles', ['b', 'unknown']);
    expect(slugs('fee')).toEqual(['c']);
    expect(index.keep('articles', ['a'])).toBe(true);
    expect(slugs('fee')).toEqual([]);
    expect(index.keep('articles', ['a', 'z'])).toBe(false);
    expect(index.state('articles')).toEqual({ count: 1, stamp: '2026-01-01T00:00:00.000Z' });
  });

  it('an entry without a page is counted, but never found', ({ index, slugs }) => {
    index.put('articles', [
      { ...row('a'), document: null },
      row('lost', { title: 'Lost', category: 'gone' }),
    ]);
    expect(index.state('articles').count).toBe(2);
    expect(slugs('lost')).toEqual([]);
  });

  it('an article is found from its date on, and results expire then', ({ index, find, slugs, clock }) => {
    const from = clock.now + 1_000;
    index.put('articles', [row('later', { title: 'Later', from }), row('now', { title: 'Now' })]);
    expect(find('later')).toMatchObject({ total: 0, until: from });
    // Each result expires at that date, even one with hits.
    expect(find('now')).toMatchObject({ total: 1, until: from });
    clock.now = from - 1;
    expect(slugs('later')).toEqual([]);
    clock.now = from;
    expect(find('later')).toMatchObject({ total: 1, until: null });
    expect(slugs('later')).toEqual(['later']);
  });

  it('the search index follows renamed authors, and removed and renamed categories', ({
    index,
    find,
    slugs,
  }) => {
    index.put('articles', [
      row('a', { title: 'Fee', author: { id: 'a1', name: 'An old name' } }, 'Some text'),
    ]);
    expect(slugs('old')).toEqual([]);
    index.names({ ...NAMES, authors: [{ id: 'a1', name: 'Grace' }] });
    expect(slugs('grace')).toEqual(['a']);
    index.names({ ...NAMES, categories: [] });
    expect(slugs('fee')).toEqual([]);
    index.names({ ...NAMES, categories: [{ id: 'c1', name: 'Guidance', slug: 'guidance' }] });
    expect(find('text').hits[0]?.category).toEqual({ name: 'Guidance', slug: 'guidance' });
    expect(slugs('ada')).toEqual(['a']);
  });

  it.for([
    '"',
    'a" OR b',
    'NEAR(',
    '*',
    'title:',
    '-',
    '()',
    '\u0000',
    'AND',
    '^',
    "'; drop table texts",
    '🎉',
  ])('no query acts as a command of the index: %j', (query, { index, find }) => {
    index.put('pages', [row('p', { category: null, title: 'Settlement' })]);
    expect(find(query).hits.length).toBeLessThanOrEqual(1);
    expect(find('settlement').total).toBe(1);
  });

  it('the search index survives a restart', async ({ index, dir }) => {
    index.put('pages', [row('p', { category: null, title: 'Settlement' })]);
    const other = new SearchIndex(openDatabase(path.join(dir, 'index.db')));
    expect(other.state('pages').count).toBe(1);
    other.close();
  });

  it('the search answers while the disk is full, and accepts entries again afterwards', async ({ dir }) => {
    const db = openDatabase(path.join(dir, 'full.db'));
    const index = new SearchIndex(db);
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => row(`p${at}`, { category: null, title: `Fee w${at}w` }));
    const total = () => {
      const query = { text: 'fee', type: null, category: null, page: 1, size: 10, hasSnippets: true };
      return index.find(query).total;
    };
    index.put('pages', many(2));
    // With this limit, SQLite fails as on a full disk.
    db.exec('pragma max_page_count = 1');
    expect(() => index.put('pages', many(500))).toThrow('full');
    expect(total()).toBe(2);
    db.exec('pragma max_page_count = 1000000');
    index.put('pages', many(500));
    expect(total()).toBe(500);
    index.close();
  });

  it('an index file that cannot be opened is deleted only if it is damaged', async ({ index, dir }) => {
    index.put('pages', [row('p', { category: null, title: 'Settlement' })]);
    index.close();
    const file = path.join(dir, 'index.db');
    const before = await readFile(file);
    await mkdir(`${file}-wal`);
    expect(() => openDatabase(file)).toThrow();
    expect((await readFile(file)).equals(before)).toBe(true);
    await rm(`${file}-wal`, { recursive: true });
    const other = new SearchIndex(openDatabase(file));
    expect(other.state('pages').count).toBe(1);
    other.close();
  });

  it('a damaged index file is replaced by an empty index', async ({ dir }) => {
    const file = path.join(dir, 'broken.db');
    await writeFile(file, 'no database, but more than sixteen bytes of something else');
    const index = new SearchIndex(openDatabase(file));
    expect(index.state('pages').count).toBe(0);
    index.close();
    expect((await readFile(file)).subarray(0, 13).toString()).toBe('SQLite format');
  });
});
