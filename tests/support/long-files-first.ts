import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files and folders, those with the longest run time first. Files that are not listed come last. */
const LONGEST_FIRST = [
  'tests/browser/accessibility.test.ts',
  'tests/integration/faults-short.test.ts',
  'tests/browser/hydration.test.ts',
  'tests/browser/',
  'tests/build/html-validity.test.ts',
  'tests/integration/process.test.ts',
  'tests/integration/start-without-backend',
  'tests/integration/outbox.test.ts',
  'tests/integration/limits',
  'tests/integration/',
  'tests/build/',
];

/**
 * Starts the slowest test files first. A slow file that starts last would keep one worker busy while the
 * others are idle.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST_FIRST.findIndex(name => moduleId.replaceAll('\\', '/').includes(`/${name}`));
      return rank === -1 ? LONGEST_FIRST.length : rank;
    };
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
