import { globSync, readFileSync } from 'node:fs';

/** Whether the long forms of tests run: `npm run test:faults`. `npm test` has a short form of each. */
export const inFull = process.env.TESTS_IN_FULL === '1';

/**
 * @returns all cases in full, otherwise a few from all over the list, always with the first one.
 * @param count the number of cases in the short form
 */
export function some<T>(cases: readonly T[], count: number): readonly T[] {
  if (inFull || count >= cases.length) return cases;
  return Array.from({ length: count }, (_, index) => cases[Math.floor((index * cases.length) / count)] as T);
}

/**
 * @param count how often a property is tried in full @returns the number for this run: a third in the short
 *   form.
 */
export function runs(count: number): number {
  return inFull ? count : Math.ceil(count / 3);
}

/** @returns the test files outside `tests/faults` that have a long form, relative to the project's folder. */
export function filesWithLongForm(): string[] {
  return globSync('tests/{unit,integration,browser,build}/**/*.test.{ts,tsx}').filter(file =>
    /from '\.\.\/support\/in-full\.ts'/.test(readFileSync(file, 'utf8')),
  );
}
