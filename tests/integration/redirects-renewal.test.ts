import { describe, expect } from 'vitest';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { type HeldAnswer, heldAnswer } from '../support/held-answer.ts';
import { type ListRow, listOfRows } from '../support/list-backend.ts';
import { patient } from '../support/patience.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';

const LONG = { timeout: patient(20_000) };
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** Redirects in the order of their creation. Their ids and changes have other orders. */
const redirects = (count: number): ListRow[] =>
  Array.from({ length: count }, (_, number) => ({
    id: 1 + ((number * 7919) % 10_007),
    documentId: `r${number}`,
    from: `/old-${number}`,
    to: `/new-${number}`,
    statusCode: 301,
    createdAt: at(number),
    updatedAt: at((number * 31) % count),
  }));

/** A TTL so short that each request finds expired content. */
const EXPIRED = { CONTENT_TTL_MS: '1', PAGE_CACHE_BYTES: '0' };

const locationOf = async (url: string, path: string) =>
  (await sendRequest(url, path, { headers: AS_BROWSER })).headers.location;

const rowCalls = (urls: readonly { url: string }[]) =>
  urls.filter(({ url }) => url.includes('[pageSize]=100'));

describe('5,000 redirects', () => {
  it(
    '5,000 redirects are read four pages at a time, and an unchanged table costs one call',
    LONG,
    async ({ backend, startOwnSite }) => {
      const rows = redirects(5_000);
      const answer = listOfRows(() => rows);
      let open = 0;
      let most = 0;
      backend.on('/api/redirects', (req, res) => {
        open += 1;
        most = Math.max(most, open);
        res.once('close', () => {
          open -= 1;
        });
        // The response waits for one tick, so that parallel calls overlap.
        setImmediate(() => answer(req, res));
      });
      const site = await startOwnSite({ env: EXPIRED });
      await eventually(async () => expect(await locationOf(site.url, '/old-4999')).toBe('/new-4999'));
      expect(rowCalls(backend.callsTo('/api/redirects'))).toHaveLength(50);
      expect(most).toBe(4);

      for (let round = 0; round < 3; round += 1) {
        backend.calls.length = 0;
        expect(await locationOf(site.url, `/old-${round}`)).toBe(`/new-${round}`);
        await eventually(() => expect(backend.callsTo('/api/redirects').length).toBeGreaterThan(0));
        await eventually(() => expect(site.site.content.cache.loading).toBe(0));
        expect(rowCalls(backend.callsTo('/api/redirects'))).toEqual([]);
      }
    },
  );

  it.for(['a change', 'a new row', 'a removed row'] as const)(
    '5,000 redirects are read again after %s',
    LONG,
    async (what, { backend, startOwnSite }) => {
      const rows = redirects(250);
      backend.on(
        '/api/redirects',
        listOfRows(() => rows),
      );
      const site = await startOwnSite({ env: EXPIRED });
      await eventually(async () => expect(await locationOf(site.url, '/old-7')).toBe('/new-7'));
      const now = new Date().toISOString();
      if (what === 'a change') rows[7] = { ...redirects(8)[7], id: 7, to: '/newest', updatedAt: now };
      if (what === 'a new row')
        rows.push({ id: 99_999, from: '/late', to: '/newest', createdAt: now, updatedAt: now });
      if (what === 'a removed row') rows.splice(7, 1);
      const [path, location] =
        what === 'a new row' ? ['/late', '/newest'] : ['/old-7', what === 'a change' ? '/newest' : undefined];
      await eventually(async () => expect(await locationOf(site.url, path)).toBe(location));
    },
  );

  it('5,000 redirects of a backend without updatedAt are always read in full', async ({
    backend,
    startOwnSite,
  }) => {
    const rows = redirects(120).map(row => ({ ...row, updatedAt: undefined }));
    backend.on(
      '/api/redirects',
      listOfRows(() => rows, { lacks: ['updatedAt'] }),
    );
    const site = await startOwnSite({ env: EXPIRED });
    await eventually(async () => expect(await locationOf(site.url, '/old-119')).toBe('/new-119'));
    rows[0] = { ...rows[0], id: 1, from: '/old-0', to: '/changed' } as (typeof rows)[number];
    await eventually(async () => expect(await locationOf(site.url, '/old-0')).toBe('/changed'));
  });
});

describe('a loaded redirect table', () => {
  const rows = redirects(150);
  /**
   * Holds every call for redirects. 50 of the rows are removed, because an empty table would mean an emptied
   * backend.
   */
  const hold = (backend: { on(path: string, behaviour: HeldAnswer['behaviour']): void }) => {
    const held = heldAnswer({
      data: rows.slice(0, 100).map(({ id, documentId, ...attributes }) => ({ id, documentId, attributes })),
      meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: 100 } },
    });
    backend.on('/api/redirects', held.behaviour);
    return held;
  };

  it(
    'the loaded redirect table serves all pages during its revalidation',
    LONG,
    async ({ backend, startOwnSite }) => {
      backend.on(
        '/api/redirects',
        listOfRows(() => rows),
      );
      const site = await startOwnSite({ env: EXPIRED });
      await eventually(async () => expect(await locationOf(site.url, '/old-1')).toBe('/new-1'));
      const held = hold(backend);
      for (const path of ['/', '/blog', '/about', '/no-such-page']) {
        const { status } = await sendRequest(site.url, path, { headers: AS_BROWSER });
        expect([path, status]).toEqual([path, path === '/no-such-page' ? 404 : 200]);
      }
      expect(await locationOf(site.url, '/old-149')).toBe('/new-149');
      // All pages share one revalidation.
      await eventually(() => expect(held.waiting()).toBe(1));
      held.release();
      await eventually(async () => expect(await locationOf(site.url, '/old-149')).toBeUndefined());
    },
  );

  it('the loaded redirect table serves pages although the backend fails', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on(
      '/api/redirects',
      listOfRows(() => rows),
    );
    const site = await startOwnSite({ env: EXPIRED });
    await eventually(async () => expect(await locationOf(site.url, '/old-1')).toBe('/new-1'));
    backend.on('/api/redirects', failing(500));
    for (let round = 0; round < 3; round += 1) expect(await locationOf(site.url, '/old-1')).toBe('/new-1');
    expect((await sendRequest(site.url, '/about', { headers: AS_BROWSER })).status).toBe(200);
  });

  it('after a webhook event a visitor waits for the new redirects, because an editor checks the change', async ({
    backend,
    startOwnSite,
  }) => {
    const own = redirects(3);
    backend.on(
      '/api/redirects',
      listOfRows(() => own),
    );
    const site = await startOwnSite({ env: { WEBHOOK_SECRET: 'a-secret-of-the-test' } });
    await eventually(async () => expect(await locationOf(site.url, '/old-1')).toBe('/new-1'));
    const now = new Date().toISOString();
    own.push({ id: 9, documentId: 'r9', from: '/fresh', to: '/about', createdAt: now, updatedAt: now });
    const event = { event: 'entry.create', model: 'redirect', entry: { id: 9, documentId: 'r9' } };
    expect((await sendWebhook(site.url, 'a-secret-of-the-test', event)).status).toBeLessThan(300);
    expect(await locationOf(site.url, '/fresh')).toBe('/about');
  });

  it(
    'redirects from disk serve the pages of a process that starts while the backend hangs',
    LONG,
    async ({ backend, startOwnSite }) => {
      backend.on(
        '/api/redirects',
        listOfRows(() => rows),
      );
      const first = await startOwnSite();
      await eventually(async () => expect(await locationOf(first.url, '/old-1')).toBe('/new-1'));
      await first.site.settled();
      const held = hold(backend);
      const second = await startOwnSite({ dataDir: first.site.config.dataDir, begin: false, env: EXPIRED });
      // The revalidation never ends here, so a response that waited for it would not come.
      let location: string | undefined;
      locationOf(second.url, '/old-149').then(
        found => {
          location = found;
        },
        () => {},
      );
      await eventually(() => expect(location).toBe('/new-149'));
      await eventually(() => expect(held.waiting()).toBe(1));
      held.release();
    },
  );
});

describe('two rows with one path', () => {
  it('two redirects with one path are ordered by their creation', async ({ backend, startOwnSite }) => {
    const row = (fields: Partial<ListRow>): ListRow => ({
      id: 1,
      from: '/twice',
      to: '/',
      createdAt: at(0),
      updatedAt: at(0),
      ...fields,
    });
    // Every other order of the rows begins with another row.
    const rows = [
      row({ id: 9, documentId: 'b', to: '/second', createdAt: at(20), updatedAt: at(99) }),
      row({ id: 5, documentId: 'a', to: '/first', createdAt: at(10), updatedAt: at(50) }),
      row({ id: 1, documentId: 'c', to: '/third', createdAt: at(30), updatedAt: at(1) }),
    ];
    backend.on(
      '/api/redirects',
      listOfRows(() => rows),
    );
    const site = await startOwnSite();
    await eventually(async () => expect(await locationOf(site.url, '/twice')).toBe('/first'));
  });
});
