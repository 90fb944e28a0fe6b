import { defineConfig } from 'vitest/config';
import { inFull } from './tests/support/in-full.ts';
import base from './vitest.config.ts';

const { projects: _, ...options } = base.test ?? {};

/** `npm run test:cms`: the site and the Strapi project in `cms/`, on SQLite. With `--full` one file after the other, because some measure. */
export default defineConfig({
  ...base,
  test: {
    ...options,
    env: { NODE_ENV: 'production' },
    include: inFull ? ['tests/cms/**/*.test.ts'] : ['tests/cms/*.test.ts'],
    globalSetup: ['tests/cms/support/seed.ts'],
    // Each file has a Strapi of its own beside its site.
    maxWorkers: inFull ? 1 : 2,
    reporters: ['verbose'],
  },
});
