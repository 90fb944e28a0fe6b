import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { descriptions } from '../../shared/content/content-types.ts';
import type { FieldDescription } from '../../shared/content/descriptions.ts';

const client = path.resolve(import.meta.dirname, '../../dist/client');

it('browser scripts contain no editor hints from the descriptions of blocks and content types', () => {
  const hints = Object.values(descriptions).flatMap(({ fields }) =>
    Object.values<FieldDescription>(fields).flatMap(({ hint }) => hint ?? []),
  );
  const scripts = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter(file =>
    /\.m?js$/.test(file),
  );
  expect(hints.length).toBeGreaterThan(20);
  expect(scripts.length).toBeGreaterThan(10);
  const found = scripts.flatMap(file => {
    const source = readFileSync(path.join(client, file), 'utf8');
    return hints.filter(hint => source.includes(hint)).map(hint => `${file}: ${hint}`);
  });
  expect(found).toEqual([]);
});
