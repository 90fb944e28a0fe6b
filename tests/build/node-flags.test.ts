import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ALLOCATOR, NODE_FLAGS } from '../../build/node-flags.ts';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8');

it('npm start and the image start Node with the same flags', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(scripts.start).toBe(`node ${NODE_FLAGS.join(' ')} build/start.ts`);
  const command = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '';
  expect(JSON.parse(command)).toEqual(['node', ...NODE_FLAGS, 'dist/server/main.js']);
});

it('the image has the settings of the allocator with which the bench measures', () => {
  const [, variables = ''] = /^ENV ((?:.+\\\n)*.+)$/m.exec(read('Dockerfile')) ?? [];
  for (const [name, value] of Object.entries(ALLOCATOR)) expect(variables).toContain(` ${name}=${value}`);
});

it('the image alone says that it is production: it does not start without a backend, as npm start does', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(read('Dockerfile')).toMatch(/^ENV NODE_ENV=production /m);
  expect([scripts.start, read('build/start.ts')].join()).not.toContain('NODE_ENV');
});
