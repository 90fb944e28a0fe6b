import { defineConfig } from 'vitest/config';
import { classNames, logo } from './build/vite-plugins.ts';
import { LongFilesFirst } from './tests/support/long-files-first.ts';
import { patient } from './tests/support/patience.ts';
import { ReportSkipped } from './tests/support/report-skipped.ts';

// Vite compiles JSX for production then, in both projects: React's development build warns all the same.
process.env.NODE_ENV = 'production';

export default defineConfig({
  // A page rendered by a test has the class names of the build, and hydrates with the built bundle.
  plugins: [classNames('production'), logo],
  define: { __DEV__: 'false', __BROWSER__: 'false' },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'site',
          // `npm run test:faults` runs the faults in full; the integration tests have their short form.
          include: ['tests/{unit,integration,browser,build}/**/*.test.{ts,tsx}'],
          // The tests run what is deployed. The development builds of React and of the Markdown packages take twice as long.
          env: { NODE_ENV: 'production' },
        },
      },
      {
        extends: true,
        // Only React's development build warns of mistakes such as a missing key.
        test: {
          name: 'development',
          include: ['tests/development/*.test.tsx'],
          env: { NODE_ENV: 'development' },
        },
      },
    ],
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: ['default', new ReportSkipped()],
    setupFiles: ['tests/support/fail-on-console.ts'],
    testTimeout: patient(30_000),
    hookTimeout: patient(60_000),
    expect: { poll: { timeout: patient(10_000) } },
    // One process runs many files: to load the server anew for each file takes a fifth of all processor time. The modules
    // have no state but memos, and a test puts back what it changes.
    isolate: false,
    unstubEnvs: true,
    // Twice the two cores: browsers, built servers and time limits are waited for.
    maxWorkers: 4,
    sequence: { sequencer: LongFilesFirst },
  },
});
