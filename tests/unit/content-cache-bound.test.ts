import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { ENTRY_OVERHEAD_BYTES, textBytes } from '../../server/cache/entry-store.ts';
import { it, startContentCache, TAGS, TTL_MS } from '../support/content-cache-stage.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../support/measure-content-cache.ts');
/** Bytes of an entry beyond its JSON and its key. */
const SHARE = textBytes(TAGS) + ENTRY_OVERHEAD_BYTES;

/** A value whose entry has exactly this size: JSON, key, tags and overhead. */
const weighing = (bytes: number, key: string) => ({
  t: 'x'.repeat(bytes - SHARE - key.length - '{"t":""}'.length),
});

describe('the bound of the content cache', () => {
  it('the size of packed content is the sum of its JSON, key, tags and overhead', async () => {
    const { cache, readNow } = startContentCache({ isPacked: true });
    await readNow('key', { t: 'x' });
    const first = 3 + '{"t":"x"}'.length + SHARE;
    expect(cache.size).toEqual({ bytes: first, entries: 1 });
    await readNow('k', { t: 'é' });
    expect(cache.size).toEqual({ bytes: first + 1 + '{"t":"é"}'.length + 1 + SHARE, entries: 2 });
  });

  it('the size of unpacked content is three times its JSON', async ({ stage: { cache, readNow } }) => {
    await readNow('key', { t: 'x' });
    expect(cache.size).toEqual({ bytes: 3 + 3 * '{"t":"x"}'.length + SHARE, entries: 1 });
  });

  it('the counted size of packed values matches their memory while their records cannot be written', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', SCRIPT]);
    const { ratio } = JSON.parse(stdout);
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.5);
  });

  it('a full content cache evicts the least recently read content, and reports it', async () => {
    const evicted: string[] = [];
    const stage = startContentCache({
      isPacked: true,
      maxBytes: 3_000,
      onEvict: key => void evicted.push(key),
    });
    const { cache, readNow, trace, peek } = stage;
    for (const key of ['a', 'b', 'c']) await readNow(key, weighing(1_000, key));
    expect(cache.size).toEqual({ bytes: 3_000, entries: 3 });
    await readNow('a', {});
    trace();
    await readNow('d', weighing(1_000, 'd'));
    expect(cache.size).toEqual({ bytes: 3_000, entries: 3 });
    expect(['a', 'b', 'c', 'd'].filter(key => peek(key) !== undefined)).toEqual(['a', 'c', 'd']);
    expect(evicted).toEqual(['b']);
    await readNow('b', {});
    expect(trace()).toEqual(['miss d', 'miss b']);
  });

  it('a large value makes room for itself by evicting several small ones', async () => {
    const { cache, readNow } = startContentCache({ maxBytes: 3_000, isPacked: true });
    for (const key of ['a', 'b', 'c']) await readNow(key, weighing(1_000, key));
    await readNow('d', weighing(2_500, 'd'));
    expect(cache.size).toEqual({ bytes: 2_500, entries: 1 });
  });

  it('a value larger than the content cache is returned and not stored', async () => {
    const { cache, readNow, trace, peek } = startContentCache({ maxBytes: 3_000, isPacked: true });
    await readNow('small', weighing(1_000, 'small'));
    const large = weighing(3_001, 'large');
    expect(await readNow('large', large)).toEqual(large);
    expect(peek('large')).toBeUndefined();
    expect(cache.size).toEqual({ bytes: 1_000, entries: 1 });
    await readNow('large', large);
    expect(await readNow('exact', weighing(3_000, 'exact'))).toEqual(peek('exact'));
    expect(trace()).toEqual(['miss small', 'miss large', 'miss large', 'miss exact']);
  });

  it('a revalidated value is counted once', async () => {
    const { cache, clock, readNow } = startContentCache({ isPacked: true });
    for (let version = 0; version < 10; version += 1) {
      await readNow('a', { version });
      clock.ms += TTL_MS;
    }
    expect(cache.size).toEqual({ bytes: 'a{"version":9}'.length + SHARE, entries: 1 });
  });

  it('negative entries have a separate bound, so they evict no content', async () => {
    const { cache, readNow, peek } = startContentCache({ maxBytes: 1_000, isPacked: true });
    await readNow('a', weighing(1_000, 'a'));
    for (let index = 0; index < 100; index++) await readNow(`missing/${index}`, null);
    expect(cache.size.entries).toBe(101);
    expect(peek('a')).toBeDefined();
  });
});
