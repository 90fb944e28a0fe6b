import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** `npm run test:faults`: the scenarios in full and the long tests, one after the other, with nothing beside them. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['tests/faults/*.test.ts'],
    testTimeout: 900_000,
    fileParallelism: false,
    reporters: ['verbose'],
  },
});
