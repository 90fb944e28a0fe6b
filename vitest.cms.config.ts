import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

const { projects: _, ...options } = base.test ?? {};

/** `npm run test:cms`: the site and the Strapi project in `cms/`, on SQLite. */
export default defineConfig({
  ...base,
  test: {
    ...options,
    env: { NODE_ENV: 'production' },
    include: ['tests/cms/*.test.ts'],
    globalSetup: ['tests/cms/support/seed.ts'],
    // Each file has a Strapi of its own beside its site.
    maxWorkers: 2,
    reporters: ['verbose'],
  },
});
