import { describe, expect, it } from 'vitest';
import { type OptionalField, selectionOf } from '../../server/content/requests/content-query.ts';
import { MissingFields } from '../../server/content/requests/missing-fields.ts';
import { BackendError } from '../../server/errors.ts';
import type { ServedType } from '../../server/wire/described-types.ts';
import { contentTypes } from '../../shared/content/content-types.ts';

/** A type whose path is also the name of a field. */
const event: ServedType = {
  path: 'tags',
  storage: 'collection',
  file: null,
  label: 'Event',
  noun: 'an event',
  fields: {
    title: { kind: 'text', label: 'Title', inLists: true },
    day: { kind: 'date', label: 'Day', inLists: true, orElse: ['updatedAt'], optional: 'no day' },
    place: { kind: 'text', label: 'Place', inLists: true, optional: 'no place' },
    tags: { kind: 'relation', label: 'Tags', target: 'category', many: true, optional: 'no tags' },
    report: { kind: 'relation', label: 'Report', target: 'article' },
  },
};
const LIST = ['fields[0]=title', 'fields[1]=updatedAt', 'fields[2]=day', 'fields[3]=place'];

const refusal = (message: string, status = 400) =>
  new BackendError('status', 'GET /api/tags', `answered ${status} (${message})`, { status });

/** A backend that lacks some fields. Its refusal names the first of them that was requested. */
function start(...lacking: string[]) {
  const reported: OptionalField[] = [];
  const queries: string[] = [];
  const missing = new MissingFields(field => reported.push(field));
  const call = async (query: string) => {
    queries.push(query);
    const refused = lacking.find(field => query.split(/[^\w-]+/).includes(field));
    if (refused) throw refusal(`Invalid key ${refused}`);
    return query;
  };
  return { missing, reported, queries, call, lacking };
}

const PARTS = ['cover', 'category', 'author', 'seoImage']
  .map(name => `populate[report][populate][${name}]=true`)
  .join('&');

describe('the selection of a type', () => {
  const none = () => false;

  it('the selection for a list has the fields that lists show, optional ones last', () => {
    expect(selectionOf(event, 'list', none).query).toBe(LIST.join('&'));
  });

  it('the full selection populates relations and media', () => {
    expect(selectionOf(event, 'full', none).query).toBe(
      `${PARTS}&populate[report][populate][tags]=true&populate[tags]=true`,
    );
  });

  it('a selection reports its optional fields, also those of related types', () => {
    const named = (form: 'list' | 'full') =>
      selectionOf(event, form, none).optional.map(({ type, field }) => `${type}.${field}`);
    expect(named('list')).toEqual(['tags.day', 'tags.place']);
    expect(named('full')).toEqual(['tags.tags', 'articles.seoImage', 'articles.tags']);
  });

  it('a selection requests the fields that replace a missing field', () => {
    const { query } = selectionOf(event, 'list', (_, field) => field === 'day');
    expect(query).toBe('fields[0]=title&fields[1]=updatedAt&fields[2]=place');
  });

  it('a selection leaves out the missing field of a related type', () => {
    const isMissing = (type: string, field: string) => type === 'articles' && field === 'seoImage';
    expect(selectionOf(event, 'full', isMissing).query).toContain(
      '[author]=true&populate[report][populate][tags]=true&populate[tags]',
    );
  });
});

describe('a field that the backend refuses', () => {
  it('a field refused by the backend is left out of the repeated call and of all later calls', async () => {
    const { missing, queries, call } = start('place');
    await missing.ask(event, 'list', call);
    await missing.ask(event, 'list', call);
    expect(queries).toEqual([LIST.join('&'), LIST.slice(0, 3).join('&'), LIST.slice(0, 3).join('&')]);
    expect(missing.has('tags', 'place')).toBe(true);
  });

  it('a field refused by the backend is reported with its content type and the consequence', async () => {
    const { missing, reported, call } = start('place');
    await missing.ask(event, 'list', call);
    expect(reported).toEqual([{ type: 'tags', field: 'place', path: 'place', cost: 'no place' }]);
  });

  it('a query succeeds after the backend has refused two fields, each in its own call', async () => {
    const { missing, queries, call } = start('day', 'place');
    expect(await missing.ask(event, 'list', call)).toBe('fields[0]=title&fields[1]=updatedAt');
    expect(queries).toHaveLength(3);
  });

  it('a field refused by the backend may have the same name as the path of its content type', async () => {
    const { missing, call } = start('tags');
    expect(await missing.ask(event, 'full', call)).toBe(PARTS);
  });

  it('a field refused by the backend is left out of calls for its own content type only', async () => {
    const { missing, call } = start('place');
    await missing.ask(event, 'list', call);
    const other = { ...event, path: 'others' };
    expect(selectionOf(other, 'list', (type, field) => missing.has(type, field)).query).toBe(LIST.join('&'));
  });

  it('a field refused by the backend is requested again after forget()', async () => {
    const { missing, queries, call, lacking } = start('place');
    await missing.ask(event, 'list', call);
    lacking.length = 0;
    missing.forget();
    await missing.ask(event, 'list', call);
    expect(queries.at(-1)).toBe(LIST.join('&'));
  });

  it('a call ends even if forget() runs after each refusal', async () => {
    const { missing, queries, call } = start('day', 'place');
    await missing.ask(event, 'list', query => {
      missing.forget();
      if (queries.length === 3) throw new Error('a fourth call');
      return call(query);
    });
    expect(queries).toHaveLength(3);
  });

  it('two concurrent calls both succeed without the refused field', async () => {
    const { missing, queries, call } = start('place');
    const gate = Promise.withResolvers<void>();
    const held = async (query: string) => {
      if (query === LIST.join('&')) await gate.promise;
      return call(query);
    };
    const both = Promise.all([missing.ask(event, 'list', held), missing.ask(event, 'list', held)]);
    gate.resolve();
    expect(await both).toEqual([LIST.slice(0, 3).join('&'), LIST.slice(0, 3).join('&')]);
    expect(queries).toHaveLength(4);
  });
});

describe('a refusal that names no optional field', () => {
  it.each([
    ['another field', refusal('Invalid key title')],
    ['a longer name', refusal('Invalid key birthday')],
    ['nothing', refusal('Bad Request')],
    ['a field with another status', refusal('Invalid key place', 500)],
    ['a field that was not asked for', refusal('Invalid key report')],
  ])('a refusal that does not name a requested optional field is a failure: %s', async (_, error) => {
    const { missing, reported } = start();
    const calls: string[] = [];
    const failing = missing.ask(event, 'list', async query => {
      calls.push(query);
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect([calls.length, reported]).toEqual([1, []]);
  });

  it('a refusal without a field name is a failure, even if its path contains an optional field’s name', async () => {
    const error = refusal('ValidationError');
    const { missing, reported } = start();
    await expect(missing.ask(event, 'full', () => Promise.reject(error))).rejects.toBe(error);
    expect(reported).toEqual([]);
  });
});

function blockComponent(name: 'directions' | 'partners') {
  return contentTypes.landing.fields[`${name}Block`].component;
}

/** A type with two components that each have an inner field `items`. */
const poster: ServedType = {
  ...{ path: 'posters', storage: 'collection', file: null, label: 'Poster', noun: 'a poster' },
  fields: {
    directionsBlock: { kind: 'component', label: 'Directions', component: blockComponent('directions') },
    partnersBlock: { kind: 'component', label: 'Partners', component: blockComponent('partners') },
  },
};

describe('two components with an inner field of the same name, one as JSON and one as a component', () => {
  const BLOCKS = ['directionsBlock', 'partnersBlock'];

  /** A backend that stores `items` of one block as JSON. @param place how a refusal names the field. */
  async function itemsOf(json: string, place: (block: string) => string): Promise<Record<string, boolean>> {
    const missing = new MissingFields(() => {});
    const answer = async (query: string) => {
      const asks = (block: string) =>
        new RegExp(`populate\\[${block}\\]\\[populate\\](?:=|\\[)items`).test(query);
      if (asks(json))
        throw new BackendError(
          'status',
          'GET /api/posters',
          `answered 400 (Invalid key items${place(json)})`,
          {
            status: 400,
          },
        );
      const blocks = BLOCKS.map(block => [
        block,
        { id: 1, title: 'A block', ...(block === json || asks(block) ? { items: [{ title: 'One' }] } : {}) },
      ]);
      return [{ text: '', body: { data: [{ id: 1, documentId: 'a', ...Object.fromEntries(blocks) }] } }];
    };
    const answers = await missing.ask(poster, 'full', answer);
    const [row] = answers[0]?.body.data ?? [];
    return Object.fromEntries(
      BLOCKS.map(block => [block, 'items' in ((row as Record<string, unknown>)[block] as object)]),
    );
  }

  it.each(
    BLOCKS.flatMap(json => [
      [json, 'in Strapi 5', (block: string) => ` at ${block}.populate.items`] as const,
      [json, 'in a backend that does not say which', () => ''] as const,
    ]),
  )(
    'two components keep their `items` when one is JSON and one a component: %s is JSON, %s',
    async (json, _where, place) => {
      expect(await itemsOf(json, place)).toEqual({ directionsBlock: true, partnersBlock: true });
    },
  );
});
