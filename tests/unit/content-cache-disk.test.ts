import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { contentRecordCodec } from '../../server/content/store/content-record.ts';
import {
  type ContentCacheStage,
  it,
  STALE_IF_ERROR_MS,
  startContentCache,
  startWithContent,
  TAGS,
  TTL_MS,
} from '../support/content-cache-stage.ts';

/** A cache with an empty memory, and a disk with a record of another process. */
async function startWithRecord(): Promise<ContentCacheStage> {
  const before = await startWithContent();
  const stage = startContentCache();
  stage.files.set('a', before.files.get('a') ?? expect.fail('nothing on the disk'));
  return stage;
}

describe('content on the disk', () => {
  it('content on the disk is stored as the texts of the backend’s responses', async ({ stage }) => {
    const { clock, readNow, files } = stage;
    await readNow('a', { version: 1, unread: 'kept' });
    expect(files.get('a')).toEqual({ generatedAt: clock.ms, answers: ['{"version":1,"unread":"kept"}'] });
  });

  it('content on the disk is served while the backend fails, with its age and its tags', async () => {
    const { clock, readEntry, began, trace, decodes } = await startWithRecord();
    clock.ms += TTL_MS;
    const first = readEntry();
    began()[0]?.reject(new Error('down'));
    expect(await first).toMatchObject({
      ...{ generatedAt: clock.ms - TTL_MS, tags: TAGS, about: 'pages:1' },
      value: { value: { version: 1 } },
    });
    expect(trace()).toEqual(['miss a', 'failed a', 'stale a']);
    expect(decodes(), 'the record is decoded by this process').toEqual(['a']);
  });

  it('content on the disk is not read while the backend answers', async () => {
    const { read, began, decodes } = await startWithRecord();
    const first = read();
    began()[0]?.resolve({ version: 2 });
    expect(await first).toEqual({ version: 2 });
    expect(decodes()).toEqual(['a']);
  });

  it.for<[string, (stage: ContentCacheStage) => void]>([
    [
      'too old',
      ({ clock }) => {
        clock.ms += TTL_MS + STALE_IF_ERROR_MS;
      },
    ],
    ['of removed content', ({ invalidations }) => invalidations.note(['pages:1'], true)],
  ])('content on the disk is not served when it is %s', async ([, spoil]) => {
    const stage = await startWithRecord();
    spoil(stage);
    const first = stage.read();
    stage.began()[0]?.reject(new Error('down'));
    await expect(first).rejects.toThrow('down');
    expect(await stage.cache.loadFromDisk([stage.requestOf('a')])).toBe(false);
  });

  it('content on the disk is removed when the backend says that the content does not exist', async () => {
    const { clock, read, began, files } = await startWithContent();
    clock.ms += TTL_MS;
    const second = read();
    began()[0]?.resolve(null);
    expect(await second).toBeNull();
    expect(files.size).toBe(0);
  });

  it('loadFromDisk() loads content into memory, and returns whether all of it was found', async () => {
    const { cache, requestOf, invalidate, peek, read, began } = await startWithRecord();
    expect(await cache.loadFromDisk([requestOf('a'), requestOf('b')])).toBe(false);
    expect(await cache.loadFromDisk([requestOf('a')])).toBe(true);
    expect(peek('a')).toEqual({ version: 1 });
    invalidate('pages');
    void read();
    expect(began(), 'it is invalidated like any other').toHaveLength(1);
  });

  it('unchanged content keeps its version across a restart', async () => {
    const before = await startWithContent();
    const { cache, clock, requestOf, readEntry, began, decodes } = await startWithRecord();
    await cache.loadFromDisk([requestOf('a')]);
    const loaded = cache.peek('a');
    expect(loaded?.value.version).toBe(before.cache.peek('a')?.value.version);
    decodes();
    clock.ms += TTL_MS;
    const revalidated = readEntry();
    began()[0]?.resolve({ version: 1 });
    expect((await revalidated).value).toBe(loaded?.value);
    expect(decodes(), 'the same answer is not decoded again').toEqual([]);
  });
});

describe('a disk record of a build with another decoder', () => {
  /** The request of a build whose content type has one more field. */
  const withField = (stage: ContentCacheStage, name: string, value: unknown) => ({
    ...stage.requestOf('a'),
    async decode(answers: Parameters<ReturnType<ContentCacheStage['requestOf']>['decode']>[0]) {
      const decoded = await stage.requestOf('a').decode(answers);
      return { ...decoded, value: { ...decoded.value, [name]: value } };
    },
  });

  it('a disk record of a build with another decoder is decoded again from the backend’s response', async () => {
    const names = fc.stringMatching(/^[a-z]{1,8}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(names, fc.jsonValue()),
        names,
        fc.jsonValue(),
        async (body, name, value) => {
          const [before, after, fresh] = [startContentCache(), startContentCache(), startContentCache()];
          await before.readNow('a', body);
          after.files.set('a', before.files.get('a') ?? expect.fail('nothing on the disk'));
          expect(await after.cache.loadFromDisk([withField(after, name, value)])).toBe(true);
          const read = fresh.readEntry('a', undefined, withField(fresh, name, value));
          fresh.began()[0]?.resolve(body);
          await read;
          expect(after.peek('a')).toEqual(fresh.peek('a'));
          expect(after.peek('a')).toHaveProperty(name, value);
        },
      ),
    );
  });
});

describe('a disk record that today’s decoder cannot read', () => {
  const refusing = (stage: ContentCacheStage) => ({
    ...stage.requestOf('a'),
    decode: async () => Promise.reject(new Error('the field `subtitle` is missing')),
  });

  it('a disk record that today’s decoder cannot read counts as absent and is logged', async () => {
    const stage = await startWithRecord();
    const first = stage.readEntry('a', undefined, refusing(stage));
    stage.began()[0]?.reject(new Error('down'));
    await expect(first, 'the reader hears of the backend').rejects.toThrow('down');
    expect(stage.lines).toMatchObject([{ level: 'warn', key: 'a', code: 'content-record-undecodable' }]);
    expect(stage.peek('a')).toBeUndefined();
  });

  it('a disk record that today’s decoder cannot read leaves the other records usable', async () => {
    const stage = await startWithRecord();
    const record = stage.files.get('a') ?? expect.fail('nothing on the disk');
    stage.files.set('b', record);
    expect(await stage.cache.loadFromDisk([refusing(stage), stage.requestOf('b')])).toBe(false);
    expect([stage.peek('a'), stage.peek('b')]).toEqual([undefined, { version: 1 }]);
  });

  it('a disk record with a response that is not JSON counts as absent', async () => {
    const stage = await startWithRecord();
    stage.files.set('a', { generatedAt: stage.clock.ms, answers: ['{"version":'] });
    expect(await stage.cache.loadFromDisk([stage.requestOf('a')])).toBe(false);
    expect(stage.lines).toHaveLength(1);
  });
});

describe('the codec of content records', () => {
  it('the codec of content records decodes the records that it encodes', () => {
    const record = { generatedAt: 5, answers: ['{"a":"Łódź"}', '[]'] };
    expect(contentRecordCodec.decode(contentRecordCodec.encode(record))).toEqual(record);
  });

  it.for(['', 'null', '{}', '{"generatedAt":1,"answers":[]}', '{"generatedAt":1,"answers":[{}]}'])(
    'the codec of content records refuses to decode “%s”',
    contents => {
      expect(() => contentRecordCodec.decode(Buffer.from(contents))).toThrow();
    },
  );
});
