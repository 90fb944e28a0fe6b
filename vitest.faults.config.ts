import { defineConfig } from 'vitest/config';

/** `npm run test:faults`: the scenarios in full, one after the other, with nothing beside them. */
export default defineConfig({
  test: {
    include: ['tests/faults/*.test.ts'],
    testTimeout: 900_000,
    fileParallelism: false,
    reporters: ['verbose'],
  },
});
