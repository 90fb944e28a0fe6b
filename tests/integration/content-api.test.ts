import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { ContentProblem } from '../../server/content/decode/decode-fields.ts';
import { failureOf, never } from '../support/backend-client-test.ts';
import { apiOf, PATHS, READS, read, SINGLES } from '../support/content-reads.ts';
import { CAPTURE_SETS, comparable, dataOf, fieldsOf } from '../support/decoding.ts';
import { capture, type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { backendTest as it } from '../support/site-test.ts';

describe.each(CAPTURE_SETS)('a backend that answers as %s', set => {
  let recorded: FakeBackend;
  beforeAll(async () => {
    recorded = await startFakeBackend(set);
  });
  afterAll(() => recorded.close());

  it('gives every entity, the same as every other', async ({ backend }) => {
    const { api } = apiOf(recorded);
    const names = Object.keys(READS);
    const values = await Promise.all(names.map(name => read(name, api)));
    const all = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    const reference = await (async () => {
      const { api: other } = apiOf(backend);
      return Object.fromEntries(
        await Promise.all(names.map(async name => [name, await read(name, other)] as const)),
      );
    })();
    // What was recorded broken in Strapi 4 alone, and the raw attributes, which differ by nature.
    const settled = (content: Record<string, unknown>) => {
      const { settings, landing, mainPage, redirects, ...rest } = content as Record<
        string,
        Record<string, unknown>
      >;
      return comparable({
        ...rest,
        mainPage: { ...mainPage, attributes: null },
        settings: { ...settings, attributes: null, socials: null },
        landing: { ...landing, attributes: null, partnersBlock: null },
      });
    };
    expect(settled(all)).toEqual(settled(reference));
    expect(values).not.toContain(null);
  });

  it('gives the rows of the redirects as they are', async () => {
    const { api } = apiOf(recorded);
    expect(await api.redirects(never())).toEqual(capture(set, 'redirects.json').data);
  });
});

describe('an answer that is none', () => {
  const names = Object.keys(READS);

  it.for(names)('(%s, data: null) is a failure', async (name, { backend }) => {
    backend.on(PATHS[name] ?? '', { data: null });
    const error = await failureOf(read(name, apiOf(backend).api));
    expect(error).toMatchObject({ kind: 'malformed', call: `GET ${PATHS[name]}` });
  });

  it.for(names)('(%s, no data) is a failure', async (name, { backend }) => {
    for (const body of [{}, { data: 'text' }, { error: { message: 'x' } }]) {
      backend.on(PATHS[name] ?? '', body);
      expect((await failureOf(read(name, apiOf(backend).api))).kind).toBe('malformed');
    }
  });

  it.for(names)('(%s, status 403, 404 and 500) is a failure', async (name, { backend }) => {
    for (const status of [403, 404, 500]) {
      backend.on(PATHS[name] ?? '', failing(status));
      const error = await failureOf(read(name, apiOf(backend).api));
      expect(error).toMatchObject({ kind: 'status', status, call: `GET ${PATHS[name]}` });
    }
  });

  it.for(SINGLES)('(%s, a list in place of one) is a failure', async (name, { backend }) => {
    backend.on(PATHS[name] ?? '', { data: [] });
    expect((await failureOf(read(name, apiOf(backend).api))).kind).toBe('malformed');
  });

  it('names its call without the query', async ({ backend }) => {
    backend.on('/api/articles', failing(500));
    const error = await failureOf(apiOf(backend).api.article('secret-slug', never()));
    expect(`${error.call} ${error.message}`).not.toContain('secret-slug');
  });
});

describe('a relation that is missing in every row', () => {
  const without = (row: Record<string, unknown>, ...names: string[]) =>
    Object.fromEntries(Object.entries(fieldsOf(row)).filter(([name]) => !names.includes(name)));
  const rows = () =>
    dataOf(capture('v5-as-v4', 'articles-by-category.json')).map((row, index) => ({
      id: index + 1,
      attributes: fieldsOf(row),
    }));
  const absent = (problems: readonly ContentProblem[]) =>
    problems
      .filter(({ kind }) => kind === 'relation-absent')
      .map(({ type, id, reason }) => [type, id, reason]);
  const reason = (name: string) =>
    `'${name}' is missing in every row: is its type's public permission set in the backend?`;

  it('is reported once an answer, by its name', async ({ backend }) => {
    const { api, problems } = apiOf(backend);
    const data = rows().map(({ id, attributes }) => ({
      id,
      attributes: without({ attributes }, 'category', 'author'),
    }));
    backend.on('/api/articles', { data });
    expect((await api.articlesOfCategory('guides', 1, never())).items).toEqual([]);
    expect(absent(problems)).toEqual([
      ['articles', null, reason('category')],
      ['articles', null, reason('author')],
    ]);
  });

  it('is reported of the countries as well', async ({ backend }) => {
    const { api, problems } = apiOf(backend);
    const { data } = capture('v5-flat', 'landing.json');
    backend.on('/api/landing', { data: without(data as Record<string, unknown>, 'countries_list') });
    const landing = await api.landing(never());
    expect(landing.countriesBlockCountries).toEqual([[], [], []]);
    expect(absent(problems)).toEqual([['landing', null, reason('countries_list')]]);
  });

  it('is not, where one row has it, and where it is empty', async ({ backend }) => {
    const { api, problems } = apiOf(backend);
    const [first, ...others] = rows();
    const data = [
      { id: 1, attributes: { ...first?.attributes, category: { data: null }, author: null } },
      ...others.map(({ id, attributes }) => ({
        id,
        attributes: without({ attributes }, 'category', 'author'),
      })),
    ];
    backend.on('/api/articles', { data });
    await api.articlesOfCategory('guides', 1, never());
    expect(absent(problems)).toEqual([]);
  });

  it('is not, in an answer that was recorded whole', async ({ backend }) => {
    const { api, problems } = apiOf(backend);
    await Promise.all([api.landing(never()), api.allArticles(never()), api.categories(never())]);
    expect(absent(problems)).toEqual([]);
  });
});

describe('sendEmail', () => {
  const message = { form: 'contact', name: 'José', text: 'Line one\n"quoted" </script>' };

  it('posts a JSON string of an object, once', async ({ backend }) => {
    await apiOf(backend).api.sendEmail(message, never());
    expect(backend.calls).toHaveLength(1);
    const [call] = backend.calls;
    expect(call).toMatchObject({ method: 'POST', url: '/api/email/send' });
    expect(call?.headers['content-type']).toBe('application/json');
    expect(call?.headers).not.toHaveProperty('idempotency-key');
    // Parsed once it is the object itself, and not a string that holds it.
    expect(JSON.parse(call?.body ?? '')).toEqual(message);
  });

  it('hands on the key by which the backend can tell a repetition', async ({ backend }) => {
    await apiOf(backend).api.sendEmail(message, never(), { idempotencyKey: 'key-1' });
    expect(backend.calls[0]?.headers['idempotency-key']).toBe('key-1');
  });

  it('does not use the answer', async ({ backend }) => {
    backend.on('/api/email/send', (_req, res) => void res.end('<html>'));
    await expect(apiOf(backend).api.sendEmail(message, never())).resolves.toBeUndefined();
  });

  it('fails as the backend fails, and does not try again', async ({ backend }) => {
    backend.on('/api/email/send', failing(500));
    const error = await failureOf(apiOf(backend).api.sendEmail(message, never()));
    expect(error).toMatchObject({ kind: 'status', status: 500, call: 'POST /api/email/send' });
    expect(backend.calls).toHaveLength(1);
  });
});

describe('a caller who leaves', () => {
  it.for([...Object.keys(READS).slice(0, 3), 'article'])(
    '(%s) gets its own reason',
    async (name, { backend }) => {
      const caller = new AbortController();
      const reason = new Error('gone');
      backend.on(PATHS[name] ?? '', () => caller.abort(reason));
      const { api } = apiOf(backend);
      const calls: Record<string, () => Promise<unknown>> = {
        categories: () => api.categories(caller.signal),
        settings: () => api.settings(caller.signal),
        socials: () => api.socials(caller.signal),
        article: () => api.article('a', caller.signal),
      };
      await expect(calls[name]?.()).rejects.toBe(reason);
    },
  );
});
