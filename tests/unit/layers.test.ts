import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { UI_BASE_Z_INDEX, UI_NAMESPACE } from '../../shared/constants.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const stylesheets = globSync('{shared,site}/**/*.css', { cwd: root });

/** The z-index layers of scheme.css in their order, each with its value. */
const layers = [...read('shared/styles/scheme.css').matchAll(/--([\w-]+-layer-[\w-]+): ([^;]+);/g)].map(
  ([, name = '', value = '']) => ({ name, value }),
);

it('the first layer has the base z-index, and each further layer is one higher', () => {
  const [first, ...others] = layers;
  expect(first?.value).toBe(String(UI_BASE_Z_INDEX));
  expect(others.map(({ value }) => value)).toEqual(
    layers.slice(0, -1).map(({ name }) => `calc(var(--${name}) + 1)`),
  );
});

it('each layer has a name in the site’s namespace, and is used', () => {
  expect(layers.map(({ name }) => name.replace(`${UI_NAMESPACE}-layer-`, ''))).toEqual([
    'header',
    'progress',
    'loading',
    'consent',
    'skip-link',
    'overlay',
  ]);
  const used = stylesheets.flatMap(file => [...read(file).matchAll(/z-index: var\(--([^)]+)\)/g)]);
  expect(used.map(([, name]) => name).sort()).toEqual(layers.map(({ name }) => name).sort());
});

it('only the listed stylesheets set a z-index of their own, within one block', () => {
  const numbers = stylesheets.flatMap(file =>
    [...read(file).matchAll(/z-index: (-?\d+)/g)].map(([, number]) => `${path.basename(file)} ${number}`),
  );
  expect(numbers.sort()).toEqual(
    [
      'suggestions.css 1',
      'article-card.module.css 1',
      'header.module.css 1',
      'ticket-header.late.module.css 1',
    ].sort(),
  );
});
