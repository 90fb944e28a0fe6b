import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVERYTHING, InvalidationLog } from '../../server/cache/tags/invalidation-log.ts';
import { LOG_BEGIN, type LogPosition } from '../../server/cache/tags/log-position.ts';
import { SavedInvalidationLog } from '../../server/cache/tags/saved-invalidations.ts';
import { createLogger } from '../../server/ops/log.ts';
import { readProcessFile } from '../support/process-files.ts';

function startLog() {
  const clock = { ms: 1_000 };
  return { clock, invalidations: new InvalidationLog(() => clock.ms) };
}

describe('the invalidation log', () => {
  it('an invalidation affects content loaded before it or in the same millisecond', () => {
    const { invalidations } = startLog();
    invalidations.note(['articles.any', 'articles:1'], false);
    expect(invalidations.since(['articles:1'], 999)).toBe(true);
    expect(invalidations.since(['articles:1'], 1_000)).toBe(true);
    expect(invalidations.since(['articles:1'], 1_001)).toBe(false);
    expect(invalidations.since(['settings', 'articles.any'], 1_000)).toBe(true);
    expect(invalidations.since(['settings', 'articles:2'], 0)).toBe(false);
    expect(invalidations.since([], 0)).toBe(false);
  });

  it('mark() separates earlier from later invalidations, even within one millisecond', () => {
    const { invalidations } = startLog();
    invalidations.note(['articles:1'], false);
    const mark = invalidations.mark();
    expect(invalidations.after(['articles:1'], mark)).toBe(false);
    invalidations.note(['articles:2', 'pages'], false);
    expect(invalidations.after(['articles:1'], mark)).toBe(false);
    expect(invalidations.after(['settings', 'articles:2'], mark)).toBe(true);
    expect(invalidations.after(['pages'], invalidations.mark())).toBe(false);
    invalidations.note([EVERYTHING], false);
    expect(invalidations.after(['articles:1'], mark)).toBe(true);
    expect(invalidations.after([], mark)).toBe(true);
  });

  it('an invalidation of everything counts as an invalidation of every tag', () => {
    const { invalidations } = startLog();
    invalidations.note([EVERYTHING], false);
    expect(invalidations.since(['whatever'], 1_000)).toBe(true);
    expect(invalidations.since([], 1_000)).toBe(true);
    expect(invalidations.since(['whatever'], 1_001)).toBe(false);
    expect(invalidations.removedSince(['whatever'], 1)).toBe(false);
  });

  it('the invalidation log distinguishes removed content from changed content', () => {
    const { invalidations } = startLog();
    invalidations.note(['articles:1'], false);
    invalidations.note(['articles:2'], true);
    expect(invalidations.removedSince(['articles:1'], 1)).toBe(false);
    expect(invalidations.removedSince(['articles:2'], 1_000)).toBe(true);
    expect(invalidations.removedSince(['articles:2'], 1_001)).toBe(false);
  });

  it('the invalidation log remembers a removal after the content has returned', () => {
    const { clock, invalidations } = startLog();
    invalidations.note(['articles:1'], true);
    clock.ms = 2_000;
    invalidations.note(['articles:1'], false);
    expect(invalidations.removedSince(['articles:1'], 900)).toBe(true);
    expect(invalidations.removedSince(['articles:1'], 1_500)).toBe(false);
    expect(invalidations.since(['articles:1'], 1_500)).toBe(true);
  });

  it('a value with another version of a tag, or none, is outdated', () => {
    const { clock, invalidations } = startLog();
    const mark = invalidations.mark();
    invalidations.note(['articles:1#b'], false);
    const outdated = (tag: string) => [invalidations.after([tag], mark), invalidations.since([tag], 1_000)];
    expect(outdated('articles:1#b')).toEqual([false, false]);
    expect(outdated('articles:1#a')).toEqual([true, true]);
    expect(outdated('articles:1')).toEqual([true, true]);
    expect(outdated('articles:1.card#a'), 'a part has versions of its own').toEqual([false, false]);
    clock.ms = 2_000;
    invalidations.note(['articles:1#a'], false);
    expect(outdated('articles:1#a'), 'the older content is back').toEqual([false, false]);
    expect(outdated('articles:1#b')).toEqual([true, true]);
  });

  it('an invalidation without a version covers all child tags, whatever their versions', () => {
    const { invalidations } = startLog();
    const mark = invalidations.mark();
    invalidations.note(['articles:1'], false);
    for (const tag of ['articles:1#b', 'articles:1.card#a'])
      expect([tag, invalidations.after([tag], mark)]).toEqual([tag, true]);
    expect(invalidations.after(['articles:12#a', 'articles'], mark)).toBe(false);
    invalidations.note(['articles'], false);
    expect(invalidations.since(['articles@guides.1#a'], 1_000)).toBe(true);
  });

  it('the invalidation log remembers 20,000 tags, and forgets the oldest beyond them', () => {
    const { invalidations } = startLog();
    for (let index = 0; index < 20_000; index++) invalidations.note([`articles:${index}`], false);
    invalidations.note(['articles:0'], false);
    invalidations.note(['one more'], false);
    expect(invalidations.entries()).toHaveLength(20_000);
    expect(invalidations.since(['articles:0'], 0)).toBe(true);
    expect(invalidations.since(['articles:1'], 0)).toBe(false);
    expect(invalidations.since(['articles:2'], 0)).toBe(true);
  });

  it('another process restores the invalidation log from its entries', () => {
    const { clock, invalidations } = startLog();
    invalidations.note(['articles:1'], true);
    clock.ms = 3_000;
    invalidations.note(['settings', 'articles:2#b'], false);
    const next = new InvalidationLog();
    next.restore(invalidations.entries());
    expect(next.entries()).toEqual([
      ['articles:1', 1_000, 1_000],
      ['settings', 3_000, 0],
      ['articles:2#b', 3_000, 0],
    ]);
    expect([next.since(['articles:2#b'], 3_000), next.since(['articles:2#a'], 3_000)]).toEqual([false, true]);
    expect(next.removedSince(['articles:1'], 1_000)).toBe(true);
    expect(next.since(['settings'], 3_000)).toBe(true);
    expect(next.after(['settings', 'articles:1'], next.mark())).toBe(false);
  });
});

describe('the positions of the shared log', () => {
  const TAG = 'articles:1';

  it('positions show whether content was loaded before another process’s invalidation', () => {
    const { invalidations } = startLog();
    invalidations.note([`${TAG}#b`, 'articles.any'], false, '1700000000000-3');
    const isOutdated = (tag: string, loaded: LogPosition) => invalidations.afterPosition([tag], loaded);
    expect(isOutdated('articles.any', '1700000000000-2')).toBe(true);
    expect(isOutdated('articles.any', '1700000000000-3')).toBe(false);
    expect(isOutdated('articles.any', '1700000000000-20'), 'numbers, and no texts').toBe(false);
    expect(isOutdated('articles.any', '999999999999-9'), 'numbers, and no texts').toBe(true);
    expect(isOutdated(`${TAG}#a`, '1-0')).toBe(true);
    expect(isOutdated(`${TAG}#b`, '1-0'), 'the version that is current').toBe(false);
    expect(isOutdated('articles:2#a', '1-0')).toBe(false);
  });

  it('an invalidation whose position is not known yet outdates all content with its tag', () => {
    const { invalidations } = startLog();
    invalidations.note([TAG], true);
    expect(invalidations.removedAfterPosition([TAG], '9-0')).toBe(true);
    expect(invalidations.entries(), 'the next process cannot wait for the place').toEqual([
      [TAG, 1_000, 1_000],
    ]);
    invalidations.place([TAG], true, '5-0');
    invalidations.note([TAG], false);
    invalidations.place([TAG], false, '7-0');
    const judged = (loaded: LogPosition) => [
      invalidations.afterPosition([TAG], loaded),
      invalidations.removedAfterPosition([TAG], loaded),
    ];
    expect([judged('4-0'), judged('6-0'), judged('7-0')]).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
    expect(invalidations.position()).toBe('7-0');
  });

  it('invalidating everything in this process outdates content by time, but not by log position', () => {
    const { invalidations } = startLog();
    invalidations.note([EVERYTHING], false);
    expect(invalidations.since(['whatever'], 1_000)).toBe(true);
    expect(invalidations.afterPosition(['whatever'], LOG_BEGIN)).toBe(false);
  });

  it.each([
    ['the other one came first', '5-0', '6-0', [true, true]],
    ['the other one came last', '6-0', '5-0', [true, false]],
  ] as const)(
    'the positions decide between two versions announced at the same time: %s',
    (_, theirs, mine, isOutdated) => {
      const { invalidations } = startLog();
      invalidations.note([`${TAG}#mine`], false);
      const mark = invalidations.mark();
      invalidations.note([`${TAG}#theirs`], false, theirs);
      invalidations.place([`${TAG}#mine`], false, mine);
      // If this process announced last, it loads and announces the content once more.
      expect(['mine', 'theirs'].map(version => invalidations.after([`${TAG}#${version}`], mark))).toEqual(
        isOutdated,
      );
      invalidations.note([`${TAG}#next`], false, '7-0');
      expect(invalidations.after([`${TAG}#next`], mark)).toBe(false);
    },
  );

  it('both versions are outdated when their announcements are read in the wrong order', () => {
    const { invalidations } = startLog();
    invalidations.note([`${TAG}#mine`], false);
    invalidations.place([`${TAG}#mine`], false, '6-0');
    const mark = invalidations.mark();
    invalidations.note([`${TAG}#theirs`], false, '5-0');
    for (const version of ['mine', 'theirs'])
      expect([version, invalidations.after([`${TAG}#${version}`], mark)]).toEqual([version, true]);
  });

  it('positions survive a restart of the process', () => {
    const { invalidations } = startLog();
    invalidations.note([TAG, 'articles.any'], true, '5-0');
    invalidations.note(['settings'], false, '6-0');
    const next = new InvalidationLog();
    next.restore(invalidations.entries());
    expect(next.position()).toBe('6-0');
    expect([next.removedAfterPosition([TAG], '4-0'), next.afterPosition(['settings'], '5-0')]).toEqual([
      true,
      true,
    ]);
  });

  it('if the shared log may be incomplete, older content is stale, and removed content stays removed', () => {
    const { invalidations } = startLog();
    invalidations.note([TAG], true, '50-0');
    invalidations.note(['settings'], false, '60-0');
    expect(invalidations.removedNames()).toEqual([TAG]);
    // The clock of the new store is slow.
    invalidations.doubt('7-0');
    expect(invalidations.position()).toBe('7-0');
    const judged = (loaded: LogPosition) => [
      invalidations.isDoubted(loaded),
      invalidations.afterPosition(['settings'], loaded),
      invalidations.removedAfterPosition([TAG], loaded),
    ];
    expect(judged('6-0')).toEqual([true, false, true]);
    expect(judged('7-0')).toEqual([false, false, false]);
  });
});

describe('an invalidation log in a file', () => {
  let folder: string;
  let file: string;
  let lines: { msg: string; level: string }[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'purges-'));
    file = path.join(folder, 'last-good', 'purges.json');
    lines = [];
  });
  // A process that has read the files of others writes its own file at once.
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  const open = (now = () => 1_000) =>
    new SavedInvalidationLog({
      file,
      log: createLogger('debug', { write: line => void lines.push(JSON.parse(line)) }),
      now,
    });

  it('an invalidation log on disk is ready as soon as the next process starts', async () => {
    const invalidations = open();
    invalidations.note(['articles:1'], true);
    invalidations.note(['settings'], false);
    await invalidations.settled();
    expect(await readdir(path.dirname(file))).toEqual([expect.stringMatching(/^purges\.[\w-]{36}\.json$/)]);
    const next = open();
    expect(next.removedSince(['articles:1'], 1_000)).toBe(true);
    expect(next.removedSince(['settings'], 1)).toBe(false);
    expect(next.since(['settings'], 1_000)).toBe(true);
    expect(lines).toEqual([]);
  });

  it('an invalidation log on disk adds a thousand invalidations to those of an earlier process', async () => {
    const first = open();
    first.note(['before'], false);
    await first.settled();
    const invalidations = open();
    for (let index = 0; index < 1_000; index++) invalidations.note([`articles:${index}`], index % 2 === 0);
    await invalidations.settled();
    expect(await readProcessFile(file)).toHaveLength(1_001);
    expect(open().removedSince(['articles:998'], 0)).toBe(true);
  });

  it.each(['', '{"a":1}', '[["articles:1",1000', '[[1,2,3]]', '[["a",1]]'])(
    'a damaged invalidation log counts as empty, and is logged: %s',
    async contents => {
      await mkdir(path.dirname(file));
      await writeFile(file, contents);
      const invalidations = open();
      expect(invalidations.entries()).toEqual([]);
      expect(lines).toMatchObject([{ level: 'warn', code: 'cache-file-damaged' }]);
      invalidations.note(['articles:1'], false);
      await invalidations.settled();
      expect(open().since(['articles:1'], 0)).toBe(true);
    },
  );

  it('an invalidation log that cannot be written is logged, and continues in memory', async () => {
    await writeFile(path.join(folder, 'last-good'), 'a file in the place of the folder');
    const invalidations = open();
    invalidations.note(['articles:1'], true);
    await invalidations.settled();
    expect(lines).toMatchObject([{ level: 'warn', code: 'cache-file-unwritten' }]);
    expect(invalidations.removedSince(['articles:1'], 0)).toBe(true);
  });
});
