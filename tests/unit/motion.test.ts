import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const stylesheets = globSync('{shared,site}/**/*.css', { cwd: root }).filter(
  file => !file.endsWith('tokens.css'),
);

/** The tokens of a brand for the durations and the easing of all motion. */
const TOKENS = /var\(--(?:quick|slow|ease)\)/g;

it('every transition and animation uses the durations and the easing of the brand', () => {
  const strangers = stylesheets.flatMap(file =>
    [...read(file).matchAll(/\b(?:transition|animation)(?:-duration|-timing-function)?: ([^;]+);/g)]
      .map(([, value = '']) => value.replace(TOKENS, ''))
      .filter(value => /\d+m?s\b|ease|linear|cubic|steps/.test(value))
      .map(value => `${path.basename(file)}: ${value}`),
  );
  // The reading progress bar follows the scroll position, so it has no duration.
  expect(strangers).toEqual(['reading-progress.module.css: el-reading-progress__read linear both']);
});

it.each(globSync('{site,tests/fixture,tests/brands/*}/brand/tokens.css', { cwd: root }))(
  'no animation or transition takes longer than 300 ms with %s',
  file => {
    const times = [...read(file).matchAll(/--(?:quick|slow): (\d+)ms;/g)].map(([, ms]) => Number(ms));
    expect(times).toHaveLength(2);
    expect(Math.max(...times)).toBeLessThanOrEqual(300);
  },
);
