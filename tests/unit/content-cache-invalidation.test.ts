import { describe, expect } from 'vitest';
import { contentRecordCodec } from '../../server/content/store/content-record.ts';
import { it, startContentCache, startWithContent, TAGS, TTL_MS } from '../support/content-cache-stage.ts';

const ended = () => new Promise(resolve => setImmediate(resolve));

describe('an invalidation', () => {
  it('an invalidation makes the next reader load even a fresh value again', async () => {
    const { read, readEntry, began, invalidate, trace } = await startWithContent();
    invalidate('pages');
    const second = readEntry();
    began()[0]?.resolve({ version: 2 });
    const entry = await second;
    expect(entry).toMatchObject({ tags: TAGS, about: 'pages:1', invalidated: false });
    expect(entry.value.value).toEqual({ version: 2 });
    expect(await read()).toEqual({ version: 2 });
    expect(trace()).toEqual(['miss a', 'hit a']);
  });

  it('an invalidation does not change an entry that a reader already has', async () => {
    const { readEntry, clock, began, invalidate } = await startWithContent();
    const handedOut = await readEntry();
    const plainOf = ({ value: { request: _request, ...value }, ...entry }: typeof handedOut) =>
      structuredClone({ ...entry, value });
    const before = plainOf(handedOut);
    invalidate('pages');
    clock.ms += TTL_MS;
    const second = readEntry();
    began()[0]?.resolve({ version: 2 });
    expect(await second).not.toBe(handedOut);
    expect(plainOf(handedOut)).toEqual(before);
  });

  it('a value that was loading during its invalidation is stored as stale, in memory and on disk', async ({
    stage,
  }) => {
    const { cache, peek, readEntry, began, invalidate, files } = stage;
    const early = readEntry();
    invalidate('pages');
    began()[0]?.resolve({ version: 1 });
    expect(await early).toMatchObject({ invalidated: true, value: { value: { version: 1 } } });
    expect([peek('a'), cache.isFresh('a')]).toEqual([{ version: 1 }, false]);
    const next = startContentCache();
    const record = files.get('a') ?? expect.fail('nothing on the disk');
    next.files.set('a', contentRecordCodec.decode(contentRecordCodec.encode(record)));
    await next.cache.loadFromDisk([next.requestOf('a')]);
    expect([next.peek('a'), next.cache.isFresh('a')]).toEqual([{ version: 1 }, false]);
  });

  it('a value that was loading during its removal is not stored', async ({ stage }) => {
    const { peek, read, began, invalidations, files } = stage;
    const early = read();
    invalidations.note(['pages:1'], true);
    began()[0]?.resolve({ version: 1 });
    expect(await early).toEqual({ version: 1 });
    expect(peek('a')).toBeUndefined();
    expect(files.size).toBe(0);
  });

  it('a reader after an invalidation does not join a load that began before it', async ({ stage }) => {
    const { read, began, invalidate, trace } = stage;
    const early = read();
    invalidate('pages:1');
    const late = read();
    const [first, ...others] = began();
    expect(others).toEqual([]);
    first?.resolve({ version: 1 });
    expect(await early).toEqual({ version: 1 });
    await ended();
    began()[0]?.resolve({ version: 2 });
    expect(await late).toEqual({ version: 2 });
    // Each read is reported once, although the content is loaded twice.
    expect(trace()).toEqual(['miss a', 'joined a']);
  });

  it('a reader may join a load that began before the invalidation of another tag', async ({ stage }) => {
    const { read, began, invalidate } = stage;
    const early = read();
    invalidate('pages:2');
    const late = read();
    began()[0]?.resolve({ version: 1 });
    expect(await Promise.all([early, late])).toEqual([{ version: 1 }, { version: 1 }]);
    expect(began()).toEqual([]);
  });

  it('an old entry served after a failed load is marked as invalidated', async () => {
    const { readEntry, began, invalidate, trace } = await startWithContent();
    invalidate('pages');
    const second = readEntry();
    began()[0]?.reject(new Error('down'));
    expect(await second).toMatchObject({ invalidated: true, value: { value: { version: 1 } } });
    expect(trace()).toEqual(['miss a', 'failed a', 'stale a']);
  });

  it('after an invalidation, the next reader requests missing content again', async () => {
    const { read, began, invalidate } = await startWithContent(null);
    expect(await read()).toBeNull();
    invalidate('pages');
    const second = read();
    began()[0]?.resolve({ version: 1 });
    expect(await second).toEqual({ version: 1 });
  });

  it('an invalidation of everything makes every value load again', async () => {
    const { read, began, invalidate } = await startWithContent();
    invalidate('*');
    void read();
    expect(began()).toHaveLength(1);
  });
});

describe('a removal', () => {
  it('a removal leaves values without its tag fresh', async () => {
    const { read, remove, trace } = await startWithContent();
    remove('pages:2');
    expect(await read()).toEqual({ version: 1 });
    expect(trace()).toEqual(['hit a']);
  });

  it('a removal deletes the value from memory and disk, so nothing stale is left to serve', async () => {
    const { read, began, remove, files } = await startWithContent();
    expect(files.size).toBe(1);
    remove('pages:1');
    expect(files.size).toBe(0);
    const second = read();
    began()[0]?.reject(new Error('down'));
    await expect(second).rejects.toThrow('down');
  });

  it('a removal during a failing load still deletes the value', async () => {
    const { clock, read, began, remove } = await startWithContent();
    clock.ms += TTL_MS;
    const second = read();
    remove('pages:1');
    began()[0]?.reject(new Error('down'));
    await expect(second).rejects.toThrow('down');
  });
});
