import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LossGuard } from '../../server/content/changes/loss-guard.ts';
import { openTypeTotals } from '../../server/content/changes/type-totals.ts';
import { createLogger } from '../../server/ops/log.ts';
import { servedType } from '../../server/wire/described-types.ts';

const MINUTE_MS = 60_000;
const LIST = '/api/articles?pagination[page]=1&pagination[pageSize]=1';

/** A loss guard for a CMS with 40 articles, and a clock that the test sets. */
const it = test.extend('cms', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'loss-guard-'));
  const lines: { msg: string; by?: string }[] = [];
  const log = createLogger('info', { write: line => void lines.push(JSON.parse(line)) });
  const totals = openTypeTotals({ file: path.join(folder, 'totals.json'), outliveProcess: true, log });
  onCleanup(async () => {
    await totals.settled();
    await rm(folder, { recursive: true });
  });
  const cms = { articles: 40, now: 0, calls: 0, lines, sending: Promise.resolve() };
  const guard = new LossGuard({ totals, log, clock: () => cms.now });
  const ask = guard.guarded(async () => {
    cms.calls += 1;
    const pagination = { page: 1, pageSize: 1, pageCount: cms.articles, total: cms.articles };
    await cms.sending;
    return { text: '', body: { data: [], meta: { pagination } } };
  });
  const load = () => ask(LIST, AbortSignal.timeout(1_000_000)).then(() => 'believed', nameOf);
  expect(await load()).toBe('believed');
  const type = servedType('articles');
  if (!type) throw new Error('There are no articles');
  /** Requests the total, as a load that finds an article missing does. */
  const confirm = () =>
    guard
      .confirm(type, { now: 0, before: 1, startedAt: cms.now }, call =>
        ask(call, AbortSignal.timeout(1_000_000)),
      )
      .then(() => 'believed', nameOf);
  return Object.assign(cms, {
    load,
    confirm,
    isHeld: () => guard.isHeld('articles'),
    explain: (path: string, id: string) => guard.noteRemoval(path, id),
  });
});

const nameOf = (error: unknown) => (error as { kind?: string }).kind;

describe('a content type that has lost all of its entries', () => {
  it('the loss of all entries of a content type is accepted after an hour, not sooner', async ({ cms }) => {
    cms.articles = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      expect([minute, await cms.load()]).toEqual([minute, 'emptied']);
      cms.now += MINUTE_MS;
    }
    expect(cms.lines).toEqual([]);
    expect(await cms.load()).toBe('believed');
    expect(cms.lines).toMatchObject([{ code: 'content-loss-accepted', by: 'time' }]);
  });

  it('a loss is accepted after an hour of checks, in which a pause counts as one minute at most', async ({
    cms,
  }) => {
    cms.articles = 0;
    for (let day = 0; day < 60; day += 1) {
      expect([day, await cms.load()]).toEqual([day, 'emptied']);
      cms.now += 24 * 60 * MINUTE_MS;
    }
    expect(await cms.load()).toBe('believed');
  });

  it('the hour of a loss starts over when the entries have returned meanwhile', async ({ cms }) => {
    cms.articles = 0;
    for (let minute = 0; minute < 59; minute += 1) {
      await cms.load();
      cms.now += MINUTE_MS;
    }
    cms.articles = 40;
    expect(await cms.load()).toBe('believed');
    cms.articles = 0;
    for (let minute = 0; minute < 59; minute += 1) {
      cms.now += MINUTE_MS;
      expect([minute, await cms.load()]).toEqual([minute, 'emptied']);
    }
  });

  it('a response that arrives after the response to a later call neither begins nor ends a loss', async ({
    cms,
  }) => {
    const overtaken = async (earlier: number, later: number) => {
      const { promise: sending, resolve: send } = Promise.withResolvers<void>();
      cms.articles = earlier;
      cms.sending = sending;
      const first = cms.load();
      cms.articles = later;
      cms.sending = Promise.resolve();
      cms.now += 1;
      await cms.load();
      send();
      return [await first, cms.isHeld()];
    };
    expect(await overtaken(40, 0)).toEqual(['believed', true]);
    // The earlier response is refused, because it would remove entries that the CMS has.
    expect(await overtaken(0, 40)).toEqual(['emptied', false]);
    expect(cms.lines).toEqual([]);
  });

  it('the total of an emptied content type is requested at most once in five seconds', async ({ cms }) => {
    cms.articles = 0;
    cms.now = 1;
    cms.calls = 0;
    const asked = async (at: number) => {
      cms.now = at;
      return [await cms.confirm(), cms.calls];
    };
    expect(await asked(1)).toEqual(['emptied', 1]);
    expect(await asked(2)).toEqual(['emptied', 1]);
    expect(await asked(5_000)).toEqual(['emptied', 1]);
    expect(await asked(5_001)).toEqual(['emptied', 2]);
    expect(await asked(10_000)).toEqual(['emptied', 2]);
  });
});

describe('entries whose removal is reported', () => {
  it('removals reported by events are no loss, even if an older response arrives later', async ({ cms }) => {
    const { promise: sending, resolve: send } = Promise.withResolvers<void>();
    cms.sending = sending;
    const asked = cms.load();
    cms.articles = 10;
    cms.now = 1;
    for (let id = 11; id <= 40; id += 1) cms.explain('articles', String(id));
    send();
    expect(await asked).toBe('believed');
    expect(await cms.load()).toBe('believed');
    // The next loss is compared with the entries that remain.
    cms.articles = 4;
    expect(await cms.load()).toBe('emptied');
  });
});
