import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../server/search/index/search-database.ts';
import { SearchIndex } from '../../server/search/index/search-index.ts';
import type { SearchDocument, SearchRow } from '../../server/search/search-types.ts';

function row(slug: string, fields: Partial<SearchDocument> = {}): SearchRow {
  const base = { slug, title: slug, h1: null, description: null, category: 'c1', author: null, tags: [] };
  return {
    id: `${slug}-id`,
    stamp: '',
    document: { ...base, date: null, from: null, until: null, ...fields, body: '""' },
  };
}

describe('articleOf', () => {
  it('the search index has the date and the category slug of an article', async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'search-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const index = new SearchIndex(openDatabase(path.join(dir, 'index.db')));
    onTestFinished(() => index.close());
    index.names({ categories: [{ id: 'c1', name: 'Guides', slug: 'guides' }], authors: [], tags: [] });
    index.put('articles', [
      row('dated', { date: Date.parse('2026-02-03T10:00:00Z') }),
      row('undated'),
      row('homeless', { date: 1, category: 'gone' }),
    ]);
    index.put('pages', [row('page', { date: 1, category: null })]);
    expect(index.articleOf('dated')).toEqual({
      ...{ id: 'dated-id', date: '2026-02-03T10:00:00.000Z', category: 'guides' },
    });
    expect(['undated', 'homeless', 'page', 'none'].map(slug => index.articleOf(slug))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
