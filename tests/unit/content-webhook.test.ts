import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { changedFiles, changeOf, startOfEvent } from '../../server/events/content-event.ts';

const FOLDER = path.resolve(import.meta.dirname, '../captures/webhooks');
const recorded = (file: string): Parameters<typeof changeOf>[0] =>
  JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')).body;

const article = (id: number, slug: string, isRemoval = false) => ({
  type: 'articles',
  ids: ['dng1bhymtbisi66w5hr49df2', String(id)],
  slug,
  isRemoval,
  isOfType: true,
});
const category = (slug: string, isRemoval = false) => ({
  type: 'categories',
  ids: ['tmunwgac1srrhyx8kavnu5db', '4'],
  slug,
  isRemoval,
  isOfType: true,
});

const EXPECTED: Readonly<Record<string, ReturnType<typeof changeOf>>> = {
  'entry.create.draft.json': null,
  'entry.update.draft.json': null,
  'entry.update.draft-of-published.json': null,
  'entry.draft-discard.json': null,
  'publish-1-entry.update.json': null,
  'publish-2-entry.publish.json': article(17, 'refunds-in-one-step'),
  'publish-renamed-1-entry.update.json': null,
  'publish-renamed-2-entry.publish.json': article(18, 'refunds'),
  'entry.unpublish.json': article(18, 'refunds', true),
  'entry.delete.draft-row.json': null,
  'entry.delete.published-row.json': article(20, 'refunds', true),
  'entry.create.no-drafts.json': category('events'),
  'entry.update.no-drafts.json': category('events-2027'),
  'entry.delete.no-drafts.json': category('events-2027', true),
  'entry.update.single-type.json': {
    type: 'settings',
    ids: ['zlknkks0f1mrhnh441kr3q5m', '1'],
    slug: null,
    isRemoval: false,
    isOfType: true,
  },
  'media.create.json': null,
  'media.update.json': null,
  'media.delete.json': null,
  'trigger-test.json': null,
};

describe('the recorded events', () => {
  it('each recorded event is in the table of expected changes', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  });

  it.each(Object.entries(EXPECTED))('the recorded event %s reports the expected change', (file, expected) => {
    expect(changeOf(recorded(file))).toEqual(expected);
  });
});

describe('the events of Strapi 4', () => {
  const entry = { id: 7, publishedAt: '2026-11-21T09:39:34.758Z' };

  it.each([
    ['entry.publish', false],
    ['entry.update', false],
    ['entry.create', false],
    ['entry.delete', true],
  ])('the Strapi 4 event %s identifies its entry by number', (event, isRemoval) => {
    expect(changeOf({ event, model: 'article', entry })).toEqual({
      ...{ type: 'articles', ids: ['7'], slug: null, isRemoval, isOfType: true },
    });
  });

  it('a Strapi 4 event about a draft reports no change', () => {
    const entry = { id: 7, publishedAt: null };
    expect(changeOf({ event: 'entry.update', model: 'article', entry })).toBeNull();
  });

  it('a Strapi 4 event reports an unpublished entry as removed', () => {
    const entry = { id: 7, publishedAt: null };
    expect(changeOf({ event: 'entry.unpublish', model: 'article', entry })).toEqual({
      ...{ type: 'articles', ids: ['7'], slug: null, isRemoval: true, isOfType: true },
    });
  });

  it('a Strapi 4 event may lack publishedAt if its content type has no drafts', () => {
    expect(changeOf({ event: 'entry.update', model: 'redirect', entry: { id: 7 } })).toEqual({
      ...{ type: 'redirects', ids: ['7'], slug: null, isRemoval: false, isOfType: true },
    });
  });
});

describe('other events', () => {
  it.each([
    ['article', 'articles'],
    ['author', 'authors'],
    ['business-solution', 'business-solutions'],
    ['category', 'categories'],
    ['commerce', 'commerces'],
    ['country', 'landing'],
    ['landing', 'landing'],
    ['main-page', 'main-page'],
    ['page', 'pages'],
    ['redirect', 'redirects'],
    ['setting', 'settings'],
    ['settings', 'settings'],
    ['social', 'socials'],
  ])('an event about the model %s reports a change of the content type %s', (model, type) => {
    const change = changeOf({ event: 'entry.update', model, entry: { documentId: 'k' } });
    expect(change).toMatchObject({ type, ids: ['k'] });
  });

  it.each([
    { event: 'entry.update', model: 'invoice', entry: { id: 1 } },
    { event: 'entry.update', model: 'constructor', entry: { id: 1 } },
    { event: 'entry.update', model: '__proto__', entry: { id: 1 } },
    { event: 'entry.update', model: 'article' },
    { event: 'entry.update', entry: { id: 1 } },
    { event: 'review-workflows.updateEntryStage', model: 'article', entry: { id: 1 } },
    { event: 'releases.publish' },
  ])('an event that is not about content reports no change: $event $model', event => {
    expect(changeOf(event)).toBeNull();
  });
});

describe('a truncated event', () => {
  it.each(Object.entries(EXPECTED).filter(([file]) => file.startsWith('entry.')))(
    'the beginning of the event %s is enough to read its kind, content type and entry id',
    file => {
      const text = JSON.stringify(recorded(file));
      const { event, model, entry } = recorded(file);
      const start = startOfEvent(text.slice(0, text.indexOf('"updatedAt"')));
      expect(start).toMatchObject({ event, model, entry: { id: entry?.id, documentId: entry?.documentId } });
    },
  );

  it('an event truncated inside a field name still reports the content type and the entry', () => {
    const start = startOfEvent('{"event":"entry.publish","model":"article","entry":{"id":17,"docum');
    expect(start === 'unknown' ? start : changeOf(start)).toEqual({
      ...{ type: 'articles', ids: ['17'], slug: null, isRemoval: false, isOfType: true },
    });
  });

  it.each([
    '',
    '{',
    '{"event":"entry.publish","model":"article"',
    '{"text":"',
    '[{"entry":{"id":1,',
    '{"a":{"entry":{"id":1,',
    '{"event":7,"entry":{"id":1,',
    `{"event":"entry.publish","entry":{"id":"${'x'.repeat(101)}",`,
  ])('startOfEvent returns “unknown” for the unusable beginning %j', text => {
    expect(startOfEvent(text)).toBe('unknown');
  });
});

describe('events about media files', () => {
  const address = (url: string) => (url.startsWith('/uploads/') ? url : null);

  it('a media event names the file and the renditions of the backend', () => {
    expect(changedFiles(recorded('media.update.json'), address)).toEqual([
      '/uploads/refunds_36fc2e42d1.jpg',
      '/uploads/thumbnail_refunds_36fc2e42d1.jpg',
      '/uploads/small_refunds_36fc2e42d1.jpg',
    ]);
    expect(changedFiles(recorded('media.delete.json'), address)).toHaveLength(3);
  });

  it('a media event about a new file without an address names no file', () => {
    expect(changedFiles(recorded('media.create.json'), address)).toHaveLength(3);
    expect(changedFiles({ event: 'media.create' }, address)).toEqual([]);
  });

  it('a media event without a local file name cannot say which pages show the file', () => {
    const media = { url: 'https://files.example.com/a.jpg' };
    expect(changedFiles({ event: 'media.update', media }, address)).toBeNull();
    expect(changedFiles({ event: 'media.delete' }, address)).toBeNull();
  });
});
