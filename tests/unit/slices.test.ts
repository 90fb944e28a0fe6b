import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { redirectTableSteps } from '../../server/addresses/redirect-table.ts';
import { digestOf } from '../../server/content/requests/content-request.ts';
import { reportClashes } from '../../server/content/slugs/address-clashes.ts';
import { copiedContent } from '../../server/content/store/copied-content.ts';
import { wholeListProvenance } from '../../server/content/tags/provenance.ts';
import { rowSteps } from '../../server/decode/decode-fields.ts';
import { inSlices, ownTick, type Steps, tickIfLate } from '../../server/ops/slices.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { startDecoding } from '../support/decoding.ts';

const STEP_MS = 4;

/** Work whose steps take at least STEP_MS each. `note` is called at each step. */
function* slowSteps(count: number, note: () => void): Steps<string> {
  for (let step = 0; step < count; step += 1) {
    const end = performance.now() + STEP_MS;
    while (performance.now() < end);
    note();
    yield;
  }
  return 'done';
}

describe('work in slices', () => {
  it('pieces of sliced work together run only a few steps per tick', async () => {
    let isDone = false;
    let steps = 0;
    const perTick: number[] = [];
    const note = () => {
      steps += 1;
    };
    const works = Promise.all(['a', 'b', 'c'].map(() => inSlices(slowSteps(12, note)))).finally(() => {
      isDone = true;
    });
    perTick.push(steps);
    while (!isDone) {
      const before = steps;
      await nextTick();
      perTick.push(steps - before);
    }
    expect(await works).toEqual(['done', 'done', 'done']);
    expect(perTick.reduce((sum, count) => sum + count, 0)).toBe(36);
    // A slice ends after 10 ms: three steps of 4 ms. Two slices may fall between two checks, and each piece
    // of work begins with a step.
    expect(Math.max(...perTick)).toBeLessThanOrEqual(8);
  });
});

describe('two pieces of work that cannot be cut', () => {
  it('other work runs between two long pieces of work that cannot be cut', async () => {
    await ownTick();
    let hasOtherRun = false;
    setImmediate(() => {
      hasOtherRun = true;
    });
    const end = performance.now() + 3 * STEP_MS;
    while (performance.now() < end);
    await tickIfLate();
    expect(hasOtherRun).toBe(true);
  });
});

describe('work on thousands of rows', () => {
  const rows = Array.from({ length: 2_000 }, (_, id) => ({
    id: id + 1,
    name: `Name ${id}`,
    slug: `slug-${id}`,
  }));
  const entries = rows.map(row => ({ ...row, id: String(row.id) }));
  const stepsOf = (work: Steps<unknown>) => [...work].length;

  it.for<[string, () => Steps<unknown>]>([
    ['decoding', () => rowSteps('things', rows, row => ({ ok: true, value: row }), startDecoding().context)],
    [
      'clashes of addresses',
      () => reportClashes(contentTypes.category, [{ data: rows }], startDecoding().context),
    ],
    ['copies', () => copiedContent(entries)],
    ['copies of a list in an entry', () => copiedContent({ entries })],
    ['tags', () => wholeListProvenance('categories', entries)],
    [
      'redirects',
      () =>
        redirectTableSteps(rows.map(({ id }) => ({ id: String(id), from: `/from/${id}`, to: `/to/${id}` }))),
    ],
  ])('work on thousands of rows is cut into a step for each row: %s', ([, begin]) => {
    expect(stepsOf(begin())).toBeGreaterThanOrEqual(rows.length);
  });
});

describe('content that is copied in slices', () => {
  const copyOf = <T>(value: T) => {
    const work = copiedContent(value);
    let step = work.next();
    while (!step.done) step = work.next();
    return step.value;
  };

  it.for([
    null,
    [],
    {},
    [1, 'a', null, { b: [2] }],
    { a: [1, { b: 2 }], c: 'd', e: { f: [] }, g: undefined },
  ])('content copied in slices has the digest and the size of its JSON: %j', value => {
    const json = JSON.stringify(value);
    const { plain, version, bytes } = copyOf<unknown>(value);
    expect(plain).toEqual(JSON.parse(json));
    expect([version, bytes]).toEqual([digestOf(json), Buffer.byteLength(json)]);
  });

  it('the version of copied content ignores `attributes`', () => {
    const of = (attributes: object) => copyOf({ id: '1', attributes, title: 'A title' }).version;
    expect(of({ other: 1 })).toBe(of({ other: 2 }));
    expect(copyOf({ id: '1', attributes: {}, title: 'Another' }).version).not.toBe(of({}));
  });
});
