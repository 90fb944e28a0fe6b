import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { configurationDocument, exampleEnvironment } from '../../build/config-docs.ts';
import { environment, SECTIONS } from '../../server/config/environment.ts';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8');
const variables = Object.entries(Object.assign({}, ...Object.values(SECTIONS)) as typeof environment.shape);

it('docs/configuration.md and .env.example equal the output of `npm run config:docs`', () => {
  expect(read('docs/configuration.md')).toBe(configurationDocument());
  expect(read('.env.example')).toBe(exampleEnvironment());
});

it('the generated documents list every variable except DEV_RELOAD', () => {
  const names = variables.map(([name]) => name);
  expect([...names, 'DEV_RELOAD'].sort()).toEqual(Object.keys(environment.shape).sort());
});

it('every value in .env.example is accepted by its variable', () => {
  const examples = parseEnv(exampleEnvironment().replaceAll(/^# (?=[A-Z_]+=)/gm, ''));
  expect(Object.keys(examples).sort()).toEqual(variables.map(([name]) => name).sort());
  const set = variables.filter(([name]) => examples[name] !== '');
  expect(set.length).toBeGreaterThan(50);
  for (const [name, schema] of set)
    expect([name, schema.safeParse(examples[name]).error?.issues]).toEqual([name, undefined]);
});

it('the documented defaults of the container image equal those of the Dockerfile', () => {
  const [, settings = ''] = /^ENV ((?:.+\\\n)*.+)$/m.exec(read('Dockerfile')) ?? [];
  const inImage = Object.fromEntries(settings.split(/\s*\\?\s+/).map(setting => setting.split('=')));
  for (const [name, schema] of variables) {
    const documented = schema.meta()?.inImage;
    // The image sets PORT to its default.
    if (name !== 'PORT') expect([name, documented]).toEqual([name, inImage[name]]);
  }
});
