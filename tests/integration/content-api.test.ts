import { afterAll, beforeAll, describe, expect } from 'vitest';
import { siteRedirects } from '../../site/redirects.ts';
import { failureOf, never } from '../support/backend-client-test.ts';
import { apiOf, BY_DATE, loadFrom, PATHS, READS, read, SINGLES } from '../support/content-reads.ts';
import { CAPTURE_SETS, comparable, dataOf, type FoundProblem, fieldsOf } from '../support/decoding.ts';
import { capture, type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { backendTest as it } from '../support/site-test.ts';

describe.each(CAPTURE_SETS)('a backend that responds as %s', set => {
  let recorded: FakeBackend;
  beforeAll(async () => {
    recorded = await startFakeBackend(set);
  });
  afterAll(() => recorded.close());

  it('the API gives equal entities for each Strapi version', async ({ backend }) => {
    const { api, load } = apiOf(recorded);
    const names = Object.keys(READS);
    const values = await Promise.all(names.map(name => read(name, { api, load })));
    const all = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    const reference = await (async () => {
      const other = apiOf(backend);
      return Object.fromEntries(
        await Promise.all(names.map(async name => [name, await read(name, other)] as const)),
      );
    })();
    // Fields that differ between recordings are not compared: broken ones of Strapi 4, and raw attributes.
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

  it('the API lists the editors’ redirects after the site’s own', async () => {
    const { exact, wildcards } = await loadFrom(recorded, api => api.redirects());
    const rows = dataOf(capture(set, 'redirects.json')).map(row => String(fieldsOf(row).from));
    const known = [...exact.keys(), ...[...wildcards.keys()].map(from => `${from}/**`)];
    expect(known).toEqual(expect.arrayContaining([...siteRedirects.map(({ from }) => from), ...rows]));
  });
});

describe('a response without data', () => {
  const names = Object.keys(READS);

  it.for(names)('a response of %s with `data: null` is a failure', async (name, { backend }) => {
    backend.on(PATHS[name] ?? '', { data: null });
    const error = await failureOf(read(name, apiOf(backend)));
    expect(error).toMatchObject({ kind: 'malformed', call: `GET ${PATHS[name]}` });
  });

  it.for(names)('a response of %s without `data` is a failure', async (name, { backend }) => {
    for (const body of [{}, { data: 'text' }, { error: { message: 'x' } }]) {
      backend.on(PATHS[name] ?? '', body);
      expect((await failureOf(read(name, apiOf(backend)))).kind).toBe('malformed');
    }
  });

  it.for(names)('a response of %s with status 403, 404 or 500 is a failure', async (name, { backend }) => {
    for (const status of [403, 404, 500]) {
      backend.on(PATHS[name] ?? '', failing(status));
      const error = await failureOf(read(name, apiOf(backend)));
      expect(error).toMatchObject({ kind: 'status', status, call: `GET ${PATHS[name]}` });
    }
  });

  it.for(SINGLES)(
    'a response of %s with a list in place of an entry is a failure',
    async (name, { backend }) => {
      backend.on(PATHS[name] ?? '', { data: [] });
      expect((await failureOf(read(name, apiOf(backend)))).kind).toBe('malformed');
    },
  );

  it('the error of a response without data names the call without its query', async ({ backend }) => {
    backend.on('/api/articles', failing(500));
    const error = await failureOf(loadFrom(backend, api => api.articlesWithSlug('secret-slug', 'canonical')));
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
  const absent = (problems: readonly FoundProblem[]) =>
    problems
      .filter(({ kind }) => kind === 'relation-absent')
      .map(({ type, id, reason }) => [type, id, reason]);
  const reason = (name: string) =>
    `'${name}' is missing in every row: is its type's public permission set in the backend?`;

  it('a relation missing in every row is reported once for each response', async ({ backend }) => {
    const { api, problems, load } = apiOf(backend);
    const data = rows().map(({ id, attributes }) => ({
      id,
      attributes: without({ attributes }, 'category', 'author'),
    }));
    backend.on('/api/articles', { data });
    await expect(load(api.articlesOfCategory('guides', 1, BY_DATE))).rejects.toThrow(
      "no row has a 'category'",
    );
    expect(absent(problems)).toEqual([
      ['articles', null, reason('category')],
      ['articles', null, reason('author')],
    ]);
  });

  it('the missing countries of the landing page are reported', async ({ backend }) => {
    const { api, problems, load } = apiOf(backend);
    const { data } = capture('v5-flat', 'landing.json');
    backend.on('/api/landing', { data: without(data as Record<string, unknown>, 'countries_list') });
    const landing = await load(api.landing());
    expect(landing.countries_list).toEqual([]);
    expect(absent(problems)).toEqual([['landing', null, reason('countries_list')]]);
  });

  it('a relation is not reported as missing when one row has it, even if it is empty', async ({
    backend,
  }) => {
    const { api, problems, load } = apiOf(backend);
    const [first, ...others] = rows();
    const data = [
      { id: 1, attributes: { ...first?.attributes, category: { data: null }, author: null } },
      ...others.map(({ id, attributes }) => ({
        id,
        attributes: without({ attributes }, 'category', 'author'),
      })),
    ];
    backend.on('/api/articles', { data });
    await load(api.articlesOfCategory('guides', 1, BY_DATE));
    expect(absent(problems)).toEqual([]);
  });

  it('a complete recorded response reports no missing relation', async ({ backend }) => {
    const { api, problems, load } = apiOf(backend);
    await Promise.all([load(api.landing()), load(api.newestArticles(30, BY_DATE)), load(api.categories())]);
    expect(absent(problems)).toEqual([]);
  });
});

describe('sendEmail', () => {
  const message = { form: 'contact', name: 'José', text: 'Line one\n"quoted" </script>' };

  it('sendEmail sends a JSON string of an object, once', async ({ backend }) => {
    await apiOf(backend).api.sendEmail(message, never());
    expect(backend.calls).toHaveLength(1);
    const [call] = backend.calls;
    expect(call).toMatchObject({ method: 'POST', url: '/api/email/send' });
    expect(call?.headers['content-type']).toBe('application/json');
    expect(call?.headers).not.toHaveProperty('idempotency-key');
    // Parsing once must give the object itself, not a string of it.
    expect(JSON.parse(call?.body ?? '')).toEqual(message);
  });

  it('sendEmail sends the idempotency key', async ({ backend }) => {
    await apiOf(backend).api.sendEmail(message, never(), { idempotencyKey: 'key-1' });
    expect(backend.calls[0]?.headers['idempotency-key']).toBe('key-1');
  });

  it('sendEmail ignores the body of the response', async ({ backend }) => {
    backend.on('/api/email/send', (_req, res) => void res.end('<html>'));
    await expect(apiOf(backend).api.sendEmail(message, never())).resolves.toBeUndefined();
  });

  it('sendEmail fails with the backend’s error, and does not retry', async ({ backend }) => {
    backend.on('/api/email/send', failing(500));
    const error = await failureOf(apiOf(backend).api.sendEmail(message, never()));
    expect(error).toMatchObject({ kind: 'status', status: 500, call: 'POST /api/email/send' });
    expect(backend.calls).toHaveLength(1);
  });
});

describe('a caller that aborts', () => {
  it.for([...Object.keys(READS).slice(0, 3), 'article'])(
    'a caller that aborts gets the reason of its signal: %s',
    async (name, { backend }) => {
      const caller = new AbortController();
      const reason = new Error('gone');
      backend.on(PATHS[name] ?? '', () => caller.abort(reason));
      const { api, load } = apiOf(backend);
      const calls: Record<string, () => Promise<unknown>> = {
        categories: () => load(api.categories(), caller.signal),
        settings: () => load(api.settings(), caller.signal),
        socials: () => load(api.socials(), caller.signal),
        article: () => load(api.articlesWithSlug('a', 'canonical'), caller.signal),
      };
      await expect(calls[name]?.()).rejects.toBe(reason);
    },
  );
});
