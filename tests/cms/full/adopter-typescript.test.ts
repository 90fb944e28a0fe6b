import { execFile } from 'node:child_process';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { cmsFolder } from '../../../build/cms/strapi.ts';
import { freePort } from '../../support/free-port.ts';
import { copyAdopter, LINE } from '../support/adopter.ts';
import { endStrapi, runStrapi } from '../support/strapi.ts';

/** The compiler options of Strapi's template. No `.js` is compiled. */
const TSCONFIG = {
  compilerOptions: {
    ...{ module: 'CommonJS', moduleResolution: 'Node', lib: ['ES2020'], target: 'ES2019', strict: false },
    ...{ skipLibCheck: true, esModuleInterop: true, resolveJsonModule: true, noEmitOnError: true },
    ...{ noImplicitThis: true, outDir: 'dist', rootDir: '.' },
  },
  include: ['./', './**/*.ts', './**/*.js', 'src/**/*.json'],
  exclude: ['node_modules/', 'dist/', '.tmp/', 'src/admin/', 'src/plugins/**'],
};

/** Converts a JavaScript project to TypeScript. */
async function asTypeScript(folder: string): Promise<void> {
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  for (const part of ['src', 'config'])
    for (const name of await readdir(path.join(folder, part), { recursive: true })) {
      if (!name.endsWith('.js')) continue;
      const file = path.join(folder, part, name);
      const text = (await readFile(file, 'utf8'))
        .replace(/^const (.+) = require\('(.+?)(?:\.js)?'\);$/gm, "import $1 from '$2';")
        .replace(/^module\.exports = \{ fill \};$/m, 'export { fill };')
        .replace(/^module\.exports = /m, 'export default ')
        .replace('import path from', 'import * as path from')
        .replace('fill(strapi)', part === 'src' && name === 'fill.js' ? 'fill(strapi: any)' : 'fill(strapi)')
        .replace('let before;', 'let before: any;');
      await writeFile(file, text);
      await rename(file, file.replace(/js$/, 'ts'));
    }
}

const it = test.extend('adopter', async ({}, { onCleanup }) => {
  const adopter = await copyAdopter();
  onCleanup(() => adopter.remove());
  await asTypeScript(adopter.folder);
  return adopter;
});

it('a Strapi in TypeScript compiles and runs the added code', async ({
  adopter: { folder, addTypes },
  onTestFinished,
}) => {
  const run = (script: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [path.join(cmsFolder, 'node_modules', script), ...args], {
      cwd: folder,
    });
  expect((await addTypes('--write')).stdout).toContain('npx strapi ts:generate-types');
  const index = path.join(folder, 'src/index.ts');
  await writeFile(index, `${await readFile(index, 'utf8')}\n${LINE}\n`);
  const port = String(await freePort());
  const { settings } = inject('seed');
  const env = { ...settings, PORT: port, CMS_PORT: port, SITE_URL: 'http://127.0.0.1:1' };
  await writeFile(
    path.join(folder, '.env'),
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  await run('@strapi/strapi/bin/strapi.js', 'ts:generate-types');
  await run('typescript/bin/tsc');

  const strapi = await runStrapi(env, folder);
  onTestFinished(() => endStrapi(strapi.child));
  expect(strapi.output()).toContain('76 rows of articles are there.');
  const statusOf = async (address: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${settings.SITE_TOKEN}`, 'content-type': 'application/json' };
    return (await fetch(`${strapi.url}/api/${address}`, { headers, ...init })).status;
  };
  expect(await statusOf('tags')).toBe(200);
  expect(await statusOf('articles?status=draft')).toBe(403);
  expect(await statusOf('email/send', { method: 'POST', body: '{"form":"none"}' })).toBe(400);
});
