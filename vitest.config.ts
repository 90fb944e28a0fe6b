import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { cssClassName } from './build/css-modules.ts';

export default defineConfig({
  define: { __DEV__: 'false' },
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    setupFiles: ['tests/support/fail-on-console.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: more workers than that only make browsers slower.
    maxWorkers: 2,
    css: { include: /\.module\.css$/, modules: { classNameStrategy: 'scoped' } },
  },
  css: { modules: { generateScopedName: (name, file) => cssClassName(path.basename(file.split('?')[0] ?? file), name) } },
});
