import path from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { compileCssModule } from './build/css-modules.ts';
import { LongFilesFirst } from './tests/support/long-files-first.ts';
import { patient } from './tests/support/patience.ts';
import { ReportSkipped } from './tests/support/report-skipped.ts';

const NAMES = '\0class-names:';

/** Gives a page rendered by a test the class names of the build, so that it hydrates with the built bundle. */
const classNames: Plugin = {
  name: 'class-names',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!source.endsWith('.module.css') || !importer) return null;
    return NAMES + path.resolve(path.dirname(importer), source).slice(0, -'.css'.length);
  },
  async load(id) {
    if (!id.startsWith(NAMES)) return null;
    const { classes } = await compileCssModule(`${id.slice(NAMES.length)}.css`);
    return `export default ${JSON.stringify(classes)};`;
  },
};

export default defineConfig({
  plugins: [classNames],
  define: { __DEV__: 'false', __BROWSER__: 'false' },
  test: {
    // `npm run test:faults` runs the faults in full; the integration tests have their short form.
    include: ['tests/{unit,integration,browser,build}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: ['default', new ReportSkipped()],
    setupFiles: ['tests/support/fail-on-console.ts'],
    testTimeout: patient(30_000),
    hookTimeout: patient(60_000),
    expect: { poll: { timeout: patient(10_000) } },
    // One worker for each of two cores: with three, a browser now and then opens no page within the time limit.
    maxWorkers: 2,
    sequence: { sequencer: LongFilesFirst },
  },
});
