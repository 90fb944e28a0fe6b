import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ENTRY_OVERHEAD_BYTES, textBytes } from '../../server/cache/entry-store.ts';
import {
  addEncoding,
  createStoredPage,
  identityOf,
  pageRecordCodec,
  pageRecordOf,
  sizeOfPage,
} from '../../server/page-cache/stored-page.ts';
import { eventually } from '../support/eventually.ts';
import { encodingsOf, startPageCache } from '../support/page-cache-stage.ts';

/** A hook for `compressing` that holds each compression until the test releases it. */
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
  it('a stored page begins with one encoding, and adding another returns a new object', async () => {
    const { rendered } = startPageCache();
    const { entry } = await rendered('one', 'gzip');
    const before = structuredClone(entry);
    const both = await addEncoding(entry.value, 'br');
    expect(structuredClone(entry), 'the entry stays as it was').toEqual(before);
    expect([encodingsOf(entry.value), encodingsOf(both)]).toEqual([['gzip'], ['br', 'gzip']]);
    const { br, gzip } = both.encodings;
    const body = await identityOf(both);
    expect(body.byteLength).toBe(both.identityBytes);
    expect(brotliDecompressSync(br ?? '')).toEqual(body);
    expect(gunzipSync(gzip ?? '')).toEqual(body);
  });

  it('the size of a stored page includes its bodies, head and texts', async () => {
    const { rendered } = startPageCache();
    const { value: one } = (await rendered('one')).entry;
    const both = await addEncoding(one, 'gzip');
    const bodyBytes = both.encodings.gzip?.byteLength ?? 0;
    const share = sizeOfPage(both) - sizeOfPage(one) - bodyBytes;
    expect(share, 'a buffer has an overhead').toBeGreaterThan(0);
    expect(share).toBeLessThan(500);
    const { value: plain } = (await rendered('one', 'identity')).entry;
    expect(sizeOfPage(plain), 'an uncompressed body').toBeGreaterThan(plain.identityBytes);
    const head = { ...one.head, plain: `${one.head.plain}X-More: ${'y'.repeat(1_000)}\r\n` };
    expect(sizeOfPage({ ...one, head }) - sizeOfPage(one)).toBe('X-More: \r\n'.length + 1_000);
    const longer = { ...one, contentVersion: one.contentVersion + 'z'.repeat(100) };
    expect(sizeOfPage(longer) - sizeOfPage(one)).toBe(100);
  });

  it('a stored page keeps no buffer larger than its bodies', async () => {
    const { rendered } = startPageCache();
    const { entry } = await rendered('one');
    const both = await addEncoding(entry.value, 'gzip');
    const plain = (await rendered('one', 'identity')).entry;
    const loaded = [{ ...entry, value: both }, plain].map(stored =>
      pageRecordCodec.decode(pageRecordCodec.encode(pageRecordOf(stored))),
    );
    const bodies = [both.encodings, plain.value.encodings, ...loaded].flatMap(({ br, gzip, identity }) =>
      [br, gzip, identity].filter(body => body !== null),
    );
    expect(bodies).toHaveLength(6);
    for (const body of bodies) expect(body.buffer.byteLength).toBe(body.byteLength);
  });
});

describe('an uncompressed page', () => {
  it('an uncompressed page is compressed soon after it was stored, and its size is updated', async () => {
    const { cache, store, encodings } = startPageCache();
    const page = await store('a', 'one', 'identity');
    const texts = 'a'.length + textBytes(['pages:1', 'settings']) + ENTRY_OVERHEAD_BYTES;
    expect(cache.size.positive.bytes).toBe(sizeOfPage(page) + texts);
    await eventually(() => expect(encodings('a')).toEqual(['br']));
    const compressed = cache.peek('a')?.value ?? expect.fail('nothing is stored');
    expect(cache.size.positive.bytes).toBe(sizeOfPage(compressed) + texts);
    expect(await identityOf(compressed)).toEqual(page.encodings.identity);
    expect(encodingsOf(page), 'the page handed out before stays as it was').toEqual(['identity']);
  });

  it('a compression does not change an entry that a reader already has', async () => {
    const { cache, store, encodings, invalidation } = startPageCache();
    await store('a', 'one', 'identity');
    const handedOut = cache.get('a')?.entry ?? expect.fail('nothing is stored');
    const before = structuredClone(handedOut);
    await eventually(() => expect(encodings('a')).toEqual(['br']));
    invalidation.invalidate(['settings']);
    expect(structuredClone(handedOut)).toEqual(before);
    expect(cache.get('a')).toMatchObject({ ttlMs: -1, entry: { invalidated: true } });
    expect(encodings('a')).toEqual(['br']);
  });

  it('pages are compressed one at a time, and a replaced page is skipped', async () => {
    const { held, compressing } = heldCompressions();
    const { store, encodings } = startPageCache({ compressing });
    await store('a', 'one', 'identity');
    await store('b', 'old', 'identity');
    await store('b', 'new', 'gzip');
    await store('c', 'three', 'identity');
    await eventually(() => expect(held).toHaveLength(1));
    held[0]?.();
    await eventually(() => expect(held, 'the next page is c').toHaveLength(2));
    expect(['a', 'b', 'c'].map(encodings)).toEqual([['br'], ['gzip'], ['identity']]);
    held[1]?.();
    await eventually(() => expect(encodings('c')).toEqual(['br']));
    expect(held).toHaveLength(2);
  });

  it('an uncompressed page is not compressed again after a visitor requested another encoding', async () => {
    const { held, compressing } = heldCompressions();
    const { cache, store, encodings } = startPageCache({ compressing });
    await store('a', 'one', 'identity');
    const page = await store('b', 'two', 'identity');
    const asked = cache.withEncoding('b', page, 'gzip');
    await eventually(() => expect(held).toHaveLength(2));
    for (const release of held) release();
    expect(encodingsOf(await asked)).toEqual(['gzip']);
    await eventually(() => expect(cache.encodingsWaiting()).toBe(0));
    await eventually(() => expect(encodings('a')).toEqual(['br']));
    expect([encodings('b'), held.length]).toEqual([['gzip'], 2]);
  });

  it('an uncompressed page from disk is compressed after loading', async () => {
    const first = startPageCache({ spareTime: () => new Promise(() => {}) });
    await first.store('a', 'one', 'identity');
    const { cache, files, encodings } = startPageCache();
    files.set('a', first.files.get('a') ?? expect.fail('nothing on the disk'));
    expect((await cache.loadPage('a'))?.entry.value.head.site).toContain('X-Content-Type-Options: nosniff');
    await eventually(() => expect(encodings('a')).toEqual(['br']));
  });
});

describe('another encoding', () => {
  it('concurrent requests for another encoding compress the page once', async () => {
    const { held, compressing } = heldCompressions();
    const { cache, store } = startPageCache({ compressing });
    const page = await store('a', 'one');
    const asked = Array.from({ length: 20 }, () => cache.withEncoding('a', page, 'gzip'));
    await eventually(() => expect(held).toHaveLength(1));
    for (const release of held) release();
    const [both, ...others] = await Promise.all(asked);
    expect(new Set(others)).toEqual(new Set([both]));
    expect(held).toHaveLength(1);
    expect(await cache.withEncoding('a', page, 'br'), 'the page has that one').toBe(page);
  });

  it('another encoding of an unstored page stores nothing', async () => {
    const { cache, rendered } = startPageCache();
    const { entry } = await rendered('one');
    expect(encodingsOf(await cache.withEncoding('a', entry.value, 'gzip'))).toEqual(['br', 'gzip']);
    expect(cache.size.positive.entries).toBe(0);
  });

  it('another encoding of a negative entry is stored and counted', async () => {
    const { cache, rendered } = startPageCache();
    const outcome = await rendered('missing', 'br', 404);
    await cache.revalidate('a', async () => outcome);
    const before = cache.size.negative.bytes;
    await cache.withEncoding('a', outcome.entry.value, 'gzip');
    expect(encodingsOf(cache.get('a')?.entry.value)).toEqual(['br', 'gzip']);
    expect(cache.size.negative.bytes).toBeGreaterThan(before);
  });
});

describe('createStoredPage', () => {
  it('createStoredPage gives equal bodies one ETag, whatever the encoding', async () => {
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
