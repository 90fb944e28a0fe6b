import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { routesOfType } from '../../server/addresses/type-routes.ts';
import { entryTags } from '../../server/content/tags/content-tags.ts';
import {
  contentTypes,
  descriptions,
  type EntityOf,
  type FieldsOf,
  type SummaryOf,
} from '../../shared/content/content-types.ts';
import {
  block,
  type ContentTypeDescription,
  component,
  componentOf,
  type FieldDescription,
  section,
} from '../../shared/content/descriptions.ts';
import { entryTypes } from '../../shared/content/entries.ts';
import { CAPTURE_SETS, fieldsOf } from '../support/decoding.ts';
import { capture } from '../support/fake-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';

const TYPES: readonly (readonly [string, ContentTypeDescription])[] = Object.entries(descriptions);
const FIELDS = TYPES.flatMap(([type, { fields }]) =>
  Object.entries<FieldDescription>(fields).map(([name, field]) => ({ type, name, field, fields })),
);

/** @returns the name of the content type or component that a field refers to, or null. */
const targetOf = (field: FieldDescription): string | null =>
  'target' in field ? field.target : (componentOf(field)?.name ?? null);

describe('the descriptions of the content types', () => {
  it('each relation and component refers to an existing content type', () => {
    const targets = FIELDS.flatMap(({ field }) => targetOf(field) ?? []);
    expect(Object.keys(descriptions)).toEqual(expect.arrayContaining(targets));
    expect(targets.length).toBeGreaterThan(0);
  });

  it('the fields read through a relation exist in its target type', () => {
    for (const { field } of FIELDS) {
      if (!('target' in field)) continue;
      const target = TYPES.find(([name]) => name === field.target)?.[1];
      expect(Object.keys(target?.fields ?? {})).toEqual(expect.arrayContaining([...(field.reads ?? [])]));
    }
  });

  it('`needsOneOf` names existing fields of its content type', () => {
    for (const [, { fields, needsOneOf = [] }] of TYPES)
      expect(Object.keys(fields)).toEqual(expect.arrayContaining([...needsOneOf]));
  });

  it('each content type has a unique path, or belongs to another type', () => {
    const paths = TYPES.flatMap(([, type]) => type.path ?? []);
    expect(new Set(paths).size).toBe(paths.length);
    for (const [name, type] of TYPES) {
      const isShownInside = FIELDS.some(
        ({ field }) => targetOf(field) === name || ('of' in field && field.of?.includes(name)),
      );
      expect(type.path !== null || isShownInside, name).toBe(true);
    }
  });

  it('each content type with a path names an existing folder or file of the test content', () => {
    for (const [name, { file, path: address }] of TYPES) {
      expect(file === null, name).toBe(address === null);
      expect(file === null || existsSync(path.join(FIXTURE_CONTENT, file)), name).toBe(true);
    }
  });

  it('content/README.md names the file or folder of each content type', () => {
    const readme = readFileSync(path.resolve(import.meta.dirname, '../../content/README.md'), 'utf8');
    for (const [, { file }] of TYPES) if (file !== null) expect(readme).toContain(`| \`${file}`);
  });

  it('a field that a backend may lack is not required, unless another field can replace it', () => {
    for (const { type, name, field } of FIELDS)
      expect(!field.optional || !field.required || Boolean(field.orElse), `${type}.${name}`).toBe(true);
  });

  it('each content type is read by a page, except those inside another type', () => {
    const unread = TYPES.filter(([, type]) => routesOfType(type.path ?? '').readBy.length === 0).map(
      ([name]) => name,
    );
    expect(unread).toEqual(TYPES.filter(([, { path: address }]) => address === null).map(([name]) => name));
  });
});

describe('the lists of descriptions', () => {
  it.each(['blocks', 'sections', 'types'])('the lists of descriptions name each file of %s', folder => {
    const site = path.resolve(import.meta.dirname, '../../site');
    const list = readFileSync(path.join(site, `${folder}.ts`), 'utf8');
    const files = readdirSync(path.join(site, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => /\.(?:block|section|type)\.ts$/.test(file))
      .map(file => file.split(path.sep).join('/'));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter(file => !list.includes(`'./${folder}/${file}'`))).toEqual([]);
  });
});

it('a card’s cache tag changes with each field that lists of the content type show', () => {
  // A card omits the change time, the position in the list, SEO fields and planned dates.
  const shown = FIELDS.filter(
    ({ type, name, field }) =>
      (type === 'article' || entryTypes.some(({ route }) => route === type)) &&
      field.inLists &&
      !['updatedAt', 'order', 'seo', 'publishAt', 'unpublishAt'].includes(name),
  );
  expect(shown.length).toBeGreaterThan(10);
  for (const { type, name } of shown) {
    const { path: address = '' } = descriptions[type] ?? {};
    const cardOf = (entry: object) => entryTags(address ?? '', entry, '1').find(tag => tag.includes('.card'));
    expect(cardOf({ [name]: { id: 2 } }), `${type}.${name}`).not.toBe(cardOf({ [name]: null }));
  }
});

describe.each(CAPTURE_SETS)('the recorded entries of %s', set => {
  const rowOf = (file: string): Record<string, unknown> => {
    const { data } = capture(set, file);
    return fieldsOf(Array.isArray(data) ? data[0] : (data as Record<string, unknown>));
  };
  /** Keys and dates of every entry. */
  const OF_EVERY_ENTRY = ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt'];

  it.each([
    ['article', 'article-by-slug.json'],
    ['author', 'authors.json'],
    ['business-solution', 'business-solutions.json'],
    ['category', 'categories.json'],
    ['commerce', 'commerces.json'],
    ['page', 'pages.json'],
    ['redirect', 'redirects.json'],
    ['social', 'socials.json'],
    ['landing', 'landing.json'],
    ['main-page', 'main-page.json'],
    ['settings', 'settings.json'],
  ] as const)('the recorded entries of %s have only fields that the description lists', (type, file) => {
    const described = [...Object.keys(contentTypes[type].fields), ...OF_EVERY_ENTRY];
    expect(described).toEqual(expect.arrayContaining(Object.keys(rowOf(file))));
  });
});

/** The compiler checks the types below: a wrong type fails `tsc`. */
describe('the types of entities', () => {
  it('the types of entities follow from the kinds of their fields', () => {
    const social: EntityOf<'social'> = { id: '1', link: '/a', icon: null };
    const fields: Pick<FieldsOf<'main-page'>, 'title' | 'questions'> = { title: null, questions: [] };
    const summary: Pick<SummaryOf<'article'>, 'slug' | 'category'> = { slug: 'a', category: null };
    // @ts-expect-error A required field is never null.
    const withoutLink: EntityOf<'social'> = { id: '1', link: null, icon: null };
    // @ts-expect-error Entries of a list have no body.
    const withBody: Pick<SummaryOf<'article'>, 'body'> = { body: [] };
    // @ts-expect-error `FieldsOf` omits JSON fields that are decoded by hand.
    const withOrder: FieldsOf<'landing'>['positionsAndCustomBlocks'] = null;
    expect([social, fields, summary, withoutLink, withBody, withOrder]).toHaveLength(6);
  });
});

/** The compiler checks these names, too. */
describe('a misspelt name of a field', () => {
  it('a misspelt field name is a compiler error', () => {
    const words = { label: 'L', noun: 'a thing' };
    const fields = { title: { kind: 'text', label: 'Title' } } as const;
    const beside = { note: { kind: 'text', label: 'Note', wire: 'thingNote' } } as const;
    const good = block('thing', { ...words, fields, beside, needsOneOf: ['title', 'note'] });
    // @ts-expect-error `needs` names fields of the component.
    const needs = component('thing', { ...words, fields, needs: ['titel'] });
    // @ts-expect-error `needsOneOf` names fields of the component.
    const needsOneOf = component('thing', { ...words, fields, needsOneOf: ['title', 'note'] });
    // @ts-expect-error `needsOneOf` of a block names its fields, or those in `beside`.
    const ofBlock = block('thing', { ...words, fields, beside, needsOneOf: ['titel'] });
    // @ts-expect-error `read` gets only the fields of the section.
    const ofSection = section('thing', { ...words, fields, read: ({ titel }) => (titel ? [] : []) });
    expect([good, needs, needsOneOf, ofBlock, ofSection]).toHaveLength(5);
  });
});
