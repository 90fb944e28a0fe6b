import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOfEvent } from '../../server/endpoints/content-event.ts';
import { invalidationOf } from '../../server/endpoints/content-webhook.ts';

const FOLDER = path.resolve(import.meta.dirname, '../captures/webhooks');
const recorded = (file: string): Parameters<typeof invalidationOf>[0] =>
  JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')).body;

const NOTHING = { tags: [], isRemoval: false };
const EVERYTHING = { tags: ['*'], isRemoval: false };
const article = (id: number, isRemoval = false) => ({
  tags: ['articles', 'articles:dng1bhymtbisi66w5hr49df2', `articles:${id}`],
  isRemoval,
});
const category = (isRemoval = false) => ({
  tags: ['categories', 'categories:tmunwgac1srrhyx8kavnu5db', 'categories:4'],
  isRemoval,
});

const EXPECTED: Readonly<Record<string, { tags: string[]; isRemoval: boolean }>> = {
  'entry.create.draft.json': NOTHING,
  'entry.update.draft.json': NOTHING,
  'entry.update.draft-of-published.json': NOTHING,
  'entry.draft-discard.json': NOTHING,
  'publish-1-entry.update.json': NOTHING,
  'publish-2-entry.publish.json': article(17),
  'publish-renamed-1-entry.update.json': NOTHING,
  'publish-renamed-2-entry.publish.json': article(18),
  'entry.unpublish.json': article(18, true),
  'entry.delete.draft-row.json': NOTHING,
  'entry.delete.published-row.json': article(20, true),
  'entry.create.no-drafts.json': category(),
  'entry.update.no-drafts.json': category(),
  'entry.delete.no-drafts.json': category(true),
  'entry.update.single-type.json': {
    tags: ['settings', 'settings:zlknkks0f1mrhnh441kr3q5m', 'settings:1'],
    isRemoval: false,
  },
  'media.create.json': NOTHING,
  'media.update.json': EVERYTHING,
  'media.delete.json': EVERYTHING,
  'trigger-test.json': NOTHING,
};

describe('the recorded events', () => {
  it('are all in the table', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  });

  it.each(Object.entries(EXPECTED))('of %s invalidate the expected tags', (file, expected) => {
    expect(invalidationOf(recorded(file))).toEqual(expected);
  });
});

describe('the events of Strapi 4', () => {
  const entry = { id: 7, publishedAt: '2026-11-21T09:39:34.758Z' };

  it.each([
    ['entry.publish', false],
    ['entry.update', false],
    ['entry.create', false],
    ['entry.unpublish', true],
    ['entry.delete', true],
  ])('of %s identify their entry by number', (event, isRemoval) => {
    expect(invalidationOf({ event, model: 'article', entry })).toEqual({
      tags: ['articles', 'articles:7'],
      isRemoval,
    });
  });

  it('invalidate nothing for a draft', () => {
    expect(
      invalidationOf({ event: 'entry.update', model: 'article', entry: { id: 7, publishedAt: null } }),
    ).toEqual(NOTHING);
  });

  it('may lack publishedAt for a type without drafts', () => {
    expect(invalidationOf({ event: 'entry.update', model: 'redirect', entry: { id: 7 } })).toEqual({
      tags: ['redirects', 'redirects:7'],
      isRemoval: false,
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
  ])('of the model %s invalidate the type %s', (model, type) => {
    expect(invalidationOf({ event: 'entry.update', model, entry: { documentId: 'k' } }).tags).toEqual([
      type,
      `${type}:k`,
    ]);
  });

  it.each([
    { event: 'entry.update', model: 'invoice', entry: { id: 1 } },
    { event: 'entry.update', model: 'constructor', entry: { id: 1 } },
    { event: 'entry.update', model: '__proto__', entry: { id: 1 } },
    { event: 'entry.update', model: 'article' },
    { event: 'entry.update', entry: { id: 1 } },
    { event: 'review-workflows.updateEntryStage', model: 'article', entry: { id: 1 } },
    { event: 'releases.publish' },
  ])('invalidate nothing: $event $model', event => {
    expect(invalidationOf(event)).toEqual(NOTHING);
  });
});

describe('a truncated event', () => {
  it.each(Object.entries(EXPECTED).filter(([file]) => file.startsWith('entry.')))(
    'of %s is recognised by its beginning, except for drafts',
    file => {
      const text = JSON.stringify(recorded(file));
      const { event, model, entry } = recorded(file);
      const start = startOfEvent(text.slice(0, text.indexOf('"updatedAt"')));
      expect(start).toMatchObject({ event, model, entry: { id: entry?.id, documentId: entry?.documentId } });
    },
  );

  it('invalidates the type and the entry when it ends within the entry’s keys', () => {
    const start = startOfEvent('{"event":"entry.publish","model":"article","entry":{"id":17,"docum');
    expect(start === 'unknown' ? start : invalidationOf(start)).toEqual({
      tags: ['articles', 'articles:17'],
      isRemoval: false,
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
  ])('with an unknown beginning may be any event: %j', text => {
    expect(startOfEvent(text)).toBe('unknown');
  });
});
