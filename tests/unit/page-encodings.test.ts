import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ENTRY_OVERHEAD_BYTES, textBytes } from '../../server/cache/entry-store.ts';
import {
  addEncoding,
  createStoredPage,
  identityOf,
  missingEncoding,
  pageRecordCodec,
  pageRecordOf,
  sizeOfPage,
} from '../../server/page-cache/stored-page.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { eventually } from '../support/eventually.ts';
import { hasBothEncodings, startPageCache } from '../support/page-cache-stage.ts';

/** A time that no test reaches, in ms. */
const NEVER_MS = 3_600_000;

/** A hook for `compressing` that holds each compression back until the test ends it. */
function heldCompressions() {
  const held: (() => void)[] = [];
  return {
    held,
    async compressing<T>(work: () => Promise<T>): Promise<T> {
      await new Promise<void>(resolve => held.push(resolve));
      return work();
    },
  };
}

describe('a stored page', () => {
  it('has one encoding at first, and adding the other one gives a new object', async () => {
    const { rendered } = startPageCache();
    const { entry } = await rendered('one', 'gzip');
    const before = structuredClone(entry);
    const complete = await addEncoding(entry.value, 'br');
    expect(structuredClone(entry), 'the entry stays as it was').toEqual(before);
    expect([missingEncoding(entry.value), missingEncoding(complete)]).toEqual(['br', null]);
    expect(hasBothEncodings(complete)).toBe(true);
    const { br, gzip } = complete.encodings;
    const body = await identityOf(complete);
    expect(body.byteLength).toBe(complete.identityBytes);
    expect(brotliDecompressSync(br ?? '')).toEqual(body);
    expect(gunzipSync(gzip ?? '')).toEqual(body);
  });

  it('weighs its bodies, its head and its texts', async () => {
    const { rendered } = startPageCache();
    const { value: one } = (await rendered('one')).entry;
    const both = await addEncoding(one, 'gzip');
    const bodyBytes = both.encodings.gzip?.byteLength ?? 0;
    const share = sizeOfPage(both) - sizeOfPage(one) - bodyBytes;
    expect(share, 'a buffer has an overhead').toBeGreaterThan(0);
    expect(share).toBeLessThan(500);
    const head = { ...one.head, own: `${one.head.own}X-More: ${'y'.repeat(1_000)}\r\n` };
    expect(sizeOfPage({ ...one, head }) - sizeOfPage(one)).toBe('X-More: \r\n'.length + 1_000);
    const longer = { ...one, contentVersion: one.contentVersion + 'z'.repeat(100) };
    expect(sizeOfPage(longer) - sizeOfPage(one)).toBe(100);
  });

  it('keeps no larger buffer in memory than each of its bodies', async () => {
    const { rendered } = startPageCache();
    const { entry } = await rendered('one');
    const both = await addEncoding(entry.value, 'gzip');
    const record = pageRecordOf({ ...entry, value: both });
    const loaded = pageRecordCodec.decode(pageRecordCodec.encode(record));
    for (const body of [both.encodings.br, both.encodings.gzip, loaded.br, loaded.gzip])
      expect(body?.buffer.byteLength).toBe(body?.byteLength);
  });
});

describe('the second encoding', () => {
  it('is added soon after a page was stored, and its bytes are counted', async () => {
    const { cache, store, hasBoth } = startPageCache();
    const page = await store('a', 'one');
    const before = cache.size.positive.bytes;
    expect(before).toBe(
      sizeOfPage(page) + 'a'.length + textBytes(['pages:1', 'settings']) + ENTRY_OVERHEAD_BYTES,
    );
    await eventually(() => expect(hasBoth('a')).toBe(true));
    const complete = cache.peek('a')?.value ?? expect.fail('nothing is stored');
    const grownBytes = cache.size.positive.bytes - before;
    expect(grownBytes).toBe(sizeOfPage(complete) - sizeOfPage(page));
    expect(grownBytes).toBeGreaterThanOrEqual(complete.encodings.gzip?.byteLength ?? Number.NaN);
    expect(page.encodings.gzip, 'the page handed out before stays as it was').toBeNull();
  });

  it('leaves an entry that a reader holds as it was', async () => {
    const { cache, store, hasBoth, invalidation } = startPageCache();
    await store('a', 'one');
    const handedOut = cache.get('a')?.entry ?? expect.fail('nothing is stored');
    const before = structuredClone(handedOut);
    await eventually(() => expect(hasBoth('a')).toBe(true));
    invalidation.invalidate(['settings']);
    expect(structuredClone(handedOut)).toEqual(before);
    expect(cache.get('a')).toMatchObject({ ttlMs: -1, entry: { invalidated: true } });
    expect(hasBothEncodings(cache.get('a')?.entry.value)).toBe(true);
  });

  it('is compressed for one page at a time, and not for a page that was replaced meanwhile', async () => {
    const { held, compressing } = heldCompressions();
    const { cache, rendered, store, hasBoth } = startPageCache({ compressing });
    await store('a', 'one');
    await store('b', 'old');
    const outcome = await rendered('new');
    const complete = deepFreeze(await addEncoding(outcome.entry.value, 'gzip'));
    await cache.revalidate('b', async () => ({ ...outcome, entry: { ...outcome.entry, value: complete } }));
    await store('c', 'three');
    await eventually(() => expect(held).toHaveLength(1));
    held[0]?.();
    await eventually(() => expect(held, 'the next page is c').toHaveLength(2));
    expect([hasBoth('a'), cache.peek('b')?.value === complete, hasBoth('c')]).toEqual([true, true, false]);
    held[1]?.();
    await eventually(() => expect(hasBoth('c')).toBe(true));
    expect(held).toHaveLength(2);
  });

  it('waits while pages are rendered, and is not compressed again when a visitor has asked for it', async () => {
    const { held, compressing } = heldCompressions();
    const stage = startPageCache({ compressing, maxEncodingWaitMs: NEVER_MS });
    const { cache, store, occupy, hasBoth } = stage;
    const end = occupy('slow');
    await store('a', 'one');
    const page = await store('b', 'two');
    const asked = cache.withEncoding('b', page, 'gzip');
    await eventually(() => expect(held, 'the visitor’s alone').toHaveLength(1));
    held[0]?.();
    expect(hasBothEncodings(await asked)).toBe(true);
    expect(hasBoth('b')).toBe(true);
    expect(held).toHaveLength(1);
    await end();
    await eventually(() => expect(held).toHaveLength(2));
    held[1]?.();
    await eventually(() => expect(hasBoth('a')).toBe(true));
    expect(held).toHaveLength(2);
  });

  it('follows within its time under a steady stream of misses', async () => {
    const { store, occupy, hasBoth, cache } = startPageCache({ maxEncodingWaitMs: 20 });
    let end = occupy('miss 0');
    await store('a', 'one');
    let misses = 0;
    await eventually(async () => {
      misses += 1;
      const next = occupy(`miss ${misses}`);
      await end();
      end = next;
      expect(cache.inFlight, 'a page is in flight at every moment').toBeGreaterThan(0);
      expect(hasBoth('a')).toBe(true);
    });
    expect(misses).toBeGreaterThan(1);
    await end();
  });

  it('is compressed once for all visitors who ask for it at the same time', async () => {
    const { held, compressing } = heldCompressions();
    const { cache, store } = startPageCache({ compressing, maxEncodingWaitMs: NEVER_MS });
    const page = await store('a', 'one');
    const asked = Array.from({ length: 20 }, () => cache.withEncoding('a', page, 'gzip'));
    await eventually(() => expect(held).toHaveLength(1));
    for (const release of held) release();
    expect(new Set(await Promise.all(asked)).size).toBe(1);
    expect(held).toHaveLength(1);
    expect(await cache.withEncoding('a', page, 'br'), 'the page has that one').toBe(page);
  });

  it('does not store a page that was not stored', async () => {
    const { cache, rendered } = startPageCache();
    const { entry } = await rendered('one');
    expect(hasBothEncodings(await cache.withEncoding('a', entry.value, 'gzip'))).toBe(true);
    expect(cache.size.positive.entries).toBe(0);
  });

  it('is added to a page that does not exist when a visitor asks for it', async () => {
    const { cache, rendered } = startPageCache();
    const outcome = await rendered('missing', 'br', 404);
    await cache.revalidate('a', async () => outcome);
    const before = cache.size.negative.bytes;
    await cache.withEncoding('a', outcome.entry.value, 'gzip');
    expect(hasBothEncodings(cache.get('a')?.entry.value)).toBe(true);
    expect(cache.size.negative.bytes).toBeGreaterThan(before);
  });

  it('is added to a page that is loaded from the disk with one', async () => {
    const first = startPageCache({ maxEncodingWaitMs: NEVER_MS });
    const end = first.occupy('slow');
    await first.store('a', 'one');
    const { cache, files, hasBoth } = startPageCache();
    files.set('a', first.files.get('a') ?? expect.fail('nothing on the disk'));
    expect((await cache.loadPage('a'))?.entry.value.head.site).toContain('X-Content-Type-Options: nosniff');
    await eventually(() => expect(hasBoth('a')).toBe(true));
    await end();
  });
});

describe('createStoredPage', () => {
  it('gives equal bodies one ETag, whatever the encoding', async () => {
    const contents = {
      status: 200,
      route: null,
      headers: [],
      contentVersion: '',
      body: Buffer.from('x'),
    } as const;
    const [br, gzip] = [
      await createStoredPage(contents, 'br', []),
      await createStoredPage(contents, 'gzip', []),
    ];
    expect(br.etag).toBe(gzip.etag);
  });
});
