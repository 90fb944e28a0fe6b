import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders and files by how long they take, the longest first. Files that are not listed come last. */
const LONGEST_FIRST = [
  'tests/browser/accessibility.test.ts',
  'tests/integration/faults-short.test.ts',
  'tests/browser/hydration.test.ts',
  'tests/browser/',
  'tests/build/html-validity.test.ts',
  'tests/integration/process.test.ts',
  'tests/integration/last-good',
  'tests/integration/outbox.test.ts',
  'tests/integration/limits',
  'tests/integration/',
  'tests/build/',
];

/** Starts the longest test files first, so that no worker is left alone with one of them at the end. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST_FIRST.findIndex(name => moduleId.replaceAll('\\', '/').includes(`/${name}`));
      return rank === -1 ? LONGEST_FIRST.length : rank;
    };
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
