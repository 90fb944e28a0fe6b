import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeptPurges } from '../../server/cache/kept-purges.ts';
import { createPurges, EVERYTHING } from '../../server/cache/purges.ts';
import { createLogger } from '../../server/ops/log.ts';

function startPurges() {
  const clock = { ms: 1_000 };
  return { clock, purges: createPurges(() => clock.ms) };
}

describe('what was purged', () => {
  it('is known from its time on, that time included', () => {
    const { purges } = startPurges();
    purges.note(['articles', 'articles:1'], false);
    expect(purges.since(['articles:1'], 999)).toBe(true);
    expect(purges.since(['articles:1'], 1_000)).toBe(true);
    expect(purges.since(['articles:1'], 1_001)).toBe(false);
    expect(purges.since(['settings', 'articles'], 1_000)).toBe(true);
    expect(purges.since(['settings', 'articles:2'], 0)).toBe(false);
    expect(purges.since([], 0)).toBe(false);
  });

  it('is after what was begun before it, be it in the same millisecond, and not after what was begun then', () => {
    const { purges } = startPurges();
    purges.note(['articles:1'], false);
    const mark = purges.mark();
    expect(purges.after(['articles:1'], mark)).toBe(false);
    purges.note(['articles:2', 'articles'], false);
    expect(purges.after(['articles:1'], mark)).toBe(false);
    expect(purges.after(['settings', 'articles:2'], mark)).toBe(true);
    expect(purges.after(['articles'], purges.mark())).toBe(false);
    purges.note([EVERYTHING], false);
    expect(purges.after(['articles:1'], mark)).toBe(true);
    expect(purges.after([], mark)).toBe(true);
  });

  it('with everything is all that there is', () => {
    const { purges } = startPurges();
    purges.note([EVERYTHING], false);
    expect(purges.since(['whatever'], 1_000)).toBe(true);
    expect(purges.since([], 1_000)).toBe(true);
    expect(purges.since(['whatever'], 1_001)).toBe(false);
    expect(purges.droppedSince(['whatever'], 1)).toBe(false);
  });

  it('has gone only where that was said', () => {
    const { purges } = startPurges();
    purges.note(['articles:1'], false);
    purges.note(['articles:2'], true);
    expect(purges.droppedSince(['articles:1'], 1)).toBe(false);
    expect(purges.droppedSince(['articles:2'], 1_000)).toBe(true);
    expect(purges.droppedSince(['articles:2'], 1_001)).toBe(false);
  });

  it('and is back leaves what was made before it went gone', () => {
    const { clock, purges } = startPurges();
    purges.note(['articles:1'], true);
    clock.ms = 2_000;
    purges.note(['articles:1'], false);
    expect(purges.droppedSince(['articles:1'], 900)).toBe(true);
    expect(purges.droppedSince(['articles:1'], 1_500)).toBe(false);
    expect(purges.since(['articles:1'], 1_500)).toBe(true);
  });

  it('is bounded: of 20,001 the one that was purged longest ago is forgotten', () => {
    const { purges } = startPurges();
    for (let index = 0; index < 20_000; index++) purges.note([`articles:${index}`], false);
    purges.note(['articles:0'], false);
    purges.note(['one more'], false);
    expect(purges.entries()).toHaveLength(20_000);
    expect(purges.since(['articles:0'], 0)).toBe(true);
    expect(purges.since(['articles:1'], 0)).toBe(false);
    expect(purges.since(['articles:2'], 0)).toBe(true);
  });

  it('goes from one process to the next', () => {
    const { clock, purges } = startPurges();
    purges.note(['articles:1'], true);
    clock.ms = 3_000;
    purges.note(['settings'], false);
    const next = createPurges();
    next.restore(purges.entries());
    expect(next.entries()).toEqual([
      ['articles:1', 1_000, 1_000],
      ['settings', 3_000, 0],
    ]);
    expect(next.droppedSince(['articles:1'], 1_000)).toBe(true);
    expect(next.since(['settings'], 3_000)).toBe(true);
    expect(next.after(['settings', 'articles:1'], next.mark())).toBe(false);
  });
});

describe('purges in a file', () => {
  let folder: string;
  let file: string;
  let lines: { msg: string; level: string }[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'purges-'));
    file = path.join(folder, 'last-good', 'purges.json');
    lines = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (now = () => 1_000) =>
    createKeptPurges(file, createLogger('debug', { write: line => void lines.push(JSON.parse(line)) }), now);

  it('are there at once when the next process begins', async () => {
    const purges = open();
    purges.note(['articles:1'], true);
    purges.note(['settings'], false);
    await purges.settled();
    expect(await readdir(path.dirname(file))).toEqual(['purges.json']);
    const next = open();
    expect(next.droppedSince(['articles:1'], 1_000)).toBe(true);
    expect(next.droppedSince(['settings'], 1)).toBe(false);
    expect(next.since(['settings'], 1_000)).toBe(true);
    expect(lines).toEqual([]);
  });

  it('of a thousand events, all of them, and those before', async () => {
    const first = open();
    first.note(['before'], false);
    await first.settled();
    const purges = open();
    for (let index = 0; index < 1_000; index++) purges.note([`articles:${index}`], index % 2 === 0);
    await purges.settled();
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveLength(1_001);
    expect(open().droppedSince(['articles:998'], 0)).toBe(true);
  });

  it.each(['', '{"a":1}', '[["articles:1",1000', '[[1,2,3]]', '[["a",1]]'])(
    'that are damaged are logged and passed over: %s',
    async contents => {
      await mkdir(path.dirname(file));
      await writeFile(file, contents);
      const purges = open();
      expect(purges.entries()).toEqual([]);
      expect(lines).toMatchObject([{ level: 'warn', msg: 'last good: a damaged file is passed over' }]);
      purges.note(['articles:1'], false);
      await purges.settled();
      expect(open().since(['articles:1'], 0)).toBe(true);
    },
  );

  it('that cannot be written are logged, and known as long as the process lives', async () => {
    await writeFile(path.join(folder, 'last-good'), 'a file in the place of the folder');
    const purges = open();
    purges.note(['articles:1'], true);
    await purges.settled();
    expect(lines).toMatchObject([{ level: 'warn', msg: 'last good: the purges could not be written' }]);
    expect(purges.droppedSince(['articles:1'], 0)).toBe(true);
  });
});
