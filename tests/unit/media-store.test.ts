import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UNWATCHED } from '../../server/cache/disk/disk-health.ts';
import { InvalidationLog } from '../../server/cache/tags/invalidation-log.ts';
import { mediaTag } from '../../server/content/tags/media-tags.ts';
import { createFileVersions } from '../../server/media/file-versions.ts';
import { MediaStore } from '../../server/media/media-store.ts';
import { createLogger } from '../../server/ops/log.ts';

const FILE = '/uploads/a.svg';
const svg = (title: string) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${title}</title></svg>`;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'media-store-'));
});
afterEach(() => rm(dir, { recursive: true }));

it('a file that changes during its download is not stored, and is fetched once more', async () => {
  const log = new InvalidationLog();
  const fetched: string[] = [];
  /** Number of stored files at the beginning of each download. */
  const storedBefore: number[] = [];
  const media = new MediaStore({
    dir,
    maxBytes: 1_000_000,
    palette: {},
    health: UNWATCHED,
    versions: createFileVersions({ log, announce() {} }),
    log: createLogger('silent'),
    async fetchFile() {
      const title = `version ${fetched.length + 1}`;
      fetched.push(title);
      storedBefore.push((await readdir(dir)).length);
      const isFirst = fetched.length === 1;
      async function* body() {
        yield Buffer.from(svg(title));
        if (isFirst) log.note([mediaTag(FILE)], false);
      }
      return { status: 200, headers: {}, body: Readable.from(body(), { objectMode: false }) };
    },
  });
  const file = await media.get(FILE, AbortSignal.timeout(5_000));
  expect([fetched, file?.bodyBytes]).toEqual([['version 1', 'version 2'], svg('version 2').length]);
  expect(storedBefore).toEqual([0, 0]);
  // The stored file is newer than the event, so it is not fetched again.
  expect((await media.get(FILE, AbortSignal.timeout(5_000)))?.etag).toBe(file?.etag);
  expect(fetched).toHaveLength(2);
});
