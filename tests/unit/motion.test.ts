import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const stylesheets = globSync('{shared,site}/**/*.css', { cwd: root }).filter(
  file => !file.endsWith('tokens.css'),
);

/** The times and the easing of a brand, of which all motion is made. */
const TOKENS = /var\(--(?:quick|slow|ease)\)/g;

it('every transition and animation has the times and the easing of the brand', () => {
  const strangers = stylesheets.flatMap(file =>
    [...read(file).matchAll(/\b(?:transition|animation)(?:-duration|-timing-function)?: ([^;]+);/g)]
      .map(([, value = '']) => value.replace(TOKENS, ''))
      .filter(value => /\d+m?s\b|ease|linear|cubic|steps/.test(value))
      .map(value => `${path.basename(file)}: ${value}`),
  );
  // The line of progress follows the scroll position, which has no time.
  expect(strangers).toEqual(['reading-progress.module.css: el-reading-progress__read linear both']);
});

it.each(globSync('{site,tests/fixture,tests/brands/*}/brand/tokens.css', { cwd: root }))(
  'no motion of a page takes longer than 300 ms with %s',
  file => {
    const times = [...read(file).matchAll(/--(?:quick|slow): (\d+)ms;/g)].map(([, ms]) => Number(ms));
    expect(times).toHaveLength(2);
    expect(Math.max(...times)).toBeLessThanOrEqual(300);
  },
);
