import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run test:faults`: the scenarios in full, one after the other, with nothing beside them. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  test: {
    include: ['tests/faults/*.test.ts'],
    env: { FAULTS: 'full' },
    testTimeout: 900_000,
    fileParallelism: false,
    reporters: ['verbose'],
  },
});
