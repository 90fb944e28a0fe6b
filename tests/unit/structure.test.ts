import { describe, expect, it } from 'vitest';
import { readTests, testSources } from '../support/read-tests.ts';

const MAX_FILE_LINES = 400;
const MAX_TEST_LINES = 80;

const files = testSources().map(file => ({ file, ...readTests(file) }));

describe('test sources', () => {
  it(`each test file has at most ${MAX_FILE_LINES} lines`, () => {
    const long = files.filter(({ lines }) => lines > MAX_FILE_LINES);
    expect(long.map(({ file, lines }) => `${file}: ${lines} lines`)).toEqual([]);
  });

  it(`each test has at most ${MAX_TEST_LINES} lines`, () => {
    const long = files
      .flatMap(({ tests }) => tests)
      .filter(({ kind, lines }) => kind === 'test' && lines > MAX_TEST_LINES);
    expect(long.map(({ file, line, lines }) => `${file}:${line} has ${lines} lines`)).toEqual([]);
  });

  it('a test is skipped only by skip() with a reason, which the reporter prints', () => {
    const silent = files.flatMap(({ skips }) => skips).filter(({ hasReason }) => !hasReason);
    expect(silent.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });
});

describe('readTests', () => {
  const source = `
    describe('a suite', () => {
      it.each([
        [1],
      ])('adds %i', value => {});
      itOffline('a test', async ({ skip }) => {
        skip(true, 'no network');
        skip();
      });
      it.only('alone', () => {});
      describe.skip('nothing', () => {});
      it.skipIf(true)('maybe', () => {});
    });
  `;

  it('readTests finds each test with its title and its number of lines', () => {
    const { tests } = readTests('a.test.ts', source);
    expect(tests.map(({ kind, title, lines }) => [kind, title, lines])).toEqual([
      ['suite', 'a suite', 12],
      ['test', 'adds %i', 3],
      ['test', 'a test', 4],
      ['test', 'alone', 1],
      ['suite', 'nothing', 1],
      ['test', 'maybe', 1],
    ]);
  });

  it('readTests finds each skipping call, and whether it gives a reason', () => {
    const { skips } = readTests('a.test.ts', source);
    expect(skips.map(({ line, hasReason }) => [line, hasReason])).toEqual([
      [7, true],
      [8, false],
      [10, false],
      [11, false],
      [12, false],
    ]);
  });
});
