import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EditedSample, eventOf, startEditedSample } from '../support/edited-sample.ts';
import { some } from '../support/in-full.ts';

let sample: EditedSample;
beforeAll(async () => {
  sample = await startEditedSample();
});
afterAll(() => sample.close());

const FEES = 'articles/reading-a-fee-statement.md';
const NEW_ARTICLE = `---
title: Brand new
description: New.
category: news
author: marta-lindqvist
date: 2026-11-20
---

Text.
`;

/**
 * Limit of the calls for one event: one for the changed entry, and one for each list that may show it. An
 * article beyond the first page of its category adds two. Years and months have lists, too.
 */
const MOST_CALLS = 30;

interface Kind {
  name: string;
  files: Parameters<EditedSample['edit']>[0];
  event: () => Promise<object> | object;
  /** Number of pages and payloads that show the change. */
  shown: number | 'all';
}

const published = (slug: string) => async () =>
  eventOf('entry.publish', 'article', await sample.row('articles', slug));
const updated = (model: string, type: string, name?: string) => async () =>
  eventOf('entry.update', model, await sample.row(type, name));
const fees = published('reading-a-fee-statement');
const replaced = (before: string, after: string) => (text: string) => {
  if (!text.includes(before)) throw new Error(`The file does not contain '${before}'`);
  return text.replace(before, after);
};

const KINDS: readonly Kind[] = [
  {
    name: 'the text of a category',
    files: { 'categories/guides.json': replaced('"description": "', '"description": "New ') },
    event: updated('category', 'categories', 'guides'),
    shown: 4,
  },
  {
    name: 'the name of a category',
    files: { 'categories/guides.json': replaced('"name": "', '"name": "New ') },
    event: updated('category', 'categories', 'guides'),
    shown: 122,
  },
  {
    name: 'the body of an article',
    files: {
      [FEES]: text =>
        replaced('2026-11-10', '2026-11-11')(replaced('A transfer has', 'One transfer has')(text)),
    },
    event: fees,
    shown: 2,
  },
  {
    name: 'the title of an article',
    files: { [FEES]: replaced('Reading a fee', 'Reading the fee') },
    event: fees,
    shown: 34,
  },
  {
    name: 'the text about an author',
    files: { 'authors/daniel-okafor.md': text => `${text}\nAnd more.` },
    event: updated('author', 'authors', 'Daniel Okafor'),
    shown: 26,
  },
  {
    name: 'the text about a tag',
    files: { 'tags.json': replaced('What a payment costs', 'The costs of a payment') },
    event: updated('tag', 'tags', 'Fees'),
    shown: 2,
  },
  {
    name: 'the settings',
    files: { 'settings.json': replaced('"Solutions"', '"Our solutions"') },
    event: updated('settings', 'settings'),
    shown: 'all',
  },
  {
    name: 'a text of the landing page',
    files: { 'landing.json': replaced('"eyebrow": "', '"eyebrow": "New ') },
    event: updated('landing', 'landing'),
    shown: 2,
  },
  {
    name: 'a social network',
    files: { 'socials.json': replaced('https://chat.', 'https://chats.') },
    event: async () => eventOf('entry.update', 'social', { id: 4, documentId: 'chat' }),
    shown: 'all',
  },
  {
    name: 'the text of a generic page',
    files: { 'pages/commerce.md': text => `${text}\nAnd more.` },
    event: updated('page', 'pages', 'commerce'),
    shown: 2,
  },
  {
    name: 'the title of a generic page above others',
    files: { 'pages/commerce.md': replaced('title: ', 'title: New ') },
    event: updated('page', 'pages', 'commerce'),
    shown: 10,
  },
  {
    name: 'the blog page',
    files: { 'main-page.json': replaced('"description": "', '"description": "New ') },
    event: updated('main-page', 'main-page'),
    shown: 2,
  },
  {
    name: 'a new article',
    files: { 'articles/brand-new.md': NEW_ARTICLE },
    event: published('brand-new'),
    shown: 30,
  },
  {
    name: 'the alternative text of a picture',
    files: { [FEES]: replaced('alt: Three sheets', 'alt: Four sheets') },
    event: () => mediaEvent('cover-fees.svg'),
    shown: 34,
  },
  {
    name: 'the alternative text of a picture that no page shows',
    files: {},
    event: () => mediaEvent('nobody-shows-this.svg'),
    shown: 0,
  },
  {
    name: 'a draft',
    files: {},
    event: async () => ({ ...(await fees()), entry: { id: 1, documentId: 'x', publishedAt: null } }),
    shown: 0,
  },
];

function mediaEvent(file: string): object {
  const media = { id: 1, url: `/uploads/${file}`, formats: null };
  return { event: 'media.update', createdAt: new Date().toISOString(), media };
}

describe('an event', () => {
  it.for(some(KINDS, 2))(
    'an event marks exactly those pages as stale that show its change',
    async ({ files, event, shown }) => {
      const { stale, changed, wrong, all, calls } = await sample.consequencesOf(files, event);
      expect(wrong).toEqual([]);
      expect(stale).toEqual(changed);
      expect(stale).toHaveLength(shown === 'all' ? all.length : shown);
      expect(calls.event).toBeLessThanOrEqual(MOST_CALLS);
    },
  );

  it.for(some(['entry.unpublish', 'entry.delete'], 1))(
    'the event %s marks pages that showed the article as stale, and removes its own page',
    async event => {
      const slug = event === 'entry.delete' ? 'faster-payouts-to-mexico' : 'spare-parts-on-invoice';
      const row = await sample.row('articles', slug);
      const { stale, changed, wrong, calls } = await sample.consequencesOf(
        { [`articles/${slug}.md`]: null },
        () => eventOf(event, 'article', row),
      );
      expect(wrong).toEqual([]);
      // Pages that could have shown this article as a related one also become stale.
      expect(stale).toEqual(expect.arrayContaining(changed));
      expect(stale.length).toBeLessThanOrEqual(changed.length + 8);
      expect(stale.filter(address => address.includes(slug))).toHaveLength(2);
      expect(stale.length).toBeLessThan(64);
      expect(calls.event).toBeLessThanOrEqual(MOST_CALLS);
    },
  );

  it('a changed date marks the old and the new month as stale, with their years', async () => {
    const { stale, changed, wrong, calls } = await sample.consequencesOf(
      { 'articles/ceramics-from-lodz.md': replaced('date: 2026-09-17', 'date: 2026-10-20') },
      published('ceramics-from-lodz'),
    );
    expect(wrong).toEqual([]);
    expect(changed).toEqual(
      expect.arrayContaining(['/blog/archive', '/blog/archive/2026/09', '/blog/archive/2026/10']),
    );
    expect(stale).toEqual(expect.arrayContaining(changed));
    expect(stale.length).toBeLessThanOrEqual(changed.length + 8);
    expect(calls.event).toBeLessThanOrEqual(MOST_CALLS);
  });

  it('changed tags mark pages as stale that show them, or choose related articles by them', async () => {
    const tags = replaced('tags: [Fees, Reconciliation]', 'tags: [Fees, Currencies]');
    const { stale, changed, wrong, calls } = await sample.consequencesOf({ [FEES]: tags }, fees);
    expect(wrong).toEqual([]);
    expect(stale).toEqual(expect.arrayContaining(changed));
    expect(changed).toEqual(expect.arrayContaining(['/blog/tags/currencies', '/blog/tags/reconciliation']));
    expect(stale.length).toBeLessThanOrEqual(changed.length + 8);
    expect(calls.event).toBeLessThanOrEqual(MOST_CALLS);
  });
});
