import { expect, it } from 'vitest';
import { DecodedBodies } from '../../server/page-cache/page-cache.ts';
import { createStoredPage, type StoredPage } from '../../server/page-cache/stored-page.ts';

const MEGABYTE = 1024 * 1024;

/** @returns a stored page of one megabyte, compressed. */
function pageOf(letter: string): Promise<StoredPage> {
  const contents = { status: 200, route: null, headers: [], contentVersion: '' } as const;
  return createStoredPage({ ...contents, body: Buffer.alloc(MEGABYTE, letter) }, 'br', []);
}

it('decompressed page bodies take at most 32 MiB, and the least recently used are evicted', async () => {
  const bodies = new DecodedBodies();
  const pages = await Promise.all(Array.from({ length: 40 }, (_, index) => pageOf(`${index} `)));
  for (const page of pages) await bodies.of(page);
  expect(bodies.size).toEqual({ bytes: 0, entries: 0 });
  for (const page of pages) await bodies.of(page);
  expect(bodies.size).toEqual({ bytes: 32 * MEGABYTE, entries: 32 });
  expect(pages.map(page => bodies.of(page) instanceof Promise).filter(Boolean)).toHaveLength(8);
});

it('a page that is evicted, even while it is decompressed, leaves no decompressed body', async () => {
  const bodies = new DecodedBodies();
  const page = await pageOf('a');
  await bodies.of(page);
  const body = bodies.of(page);
  bodies.forget(page);
  expect((await body).byteLength).toBe(MEGABYTE);
  expect(bodies.size.entries).toBe(0);
});
