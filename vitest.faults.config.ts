import { defineConfig } from 'vitest/config';
import { filesWithLongForm } from './tests/support/in-full.ts';
import base from './vitest.config.ts';

const { projects: _, ...options } = base.test ?? {};

/** `npm run test:faults`: the scenarios in full and the long tests, one after the other, with nothing beside them. */
export default defineConfig({
  ...base,
  test: {
    ...options,
    env: { NODE_ENV: 'production', TESTS_IN_FULL: '1' },
    include: ['tests/faults/*.test.ts', ...filesWithLongForm()],
    // One scenario takes ten minutes by itself. A test that is ended leaves its servers behind.
    testTimeout: 3_600_000,
    fileParallelism: false,
    reporters: ['verbose'],
  },
});
