import { type ExecFileException, execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { editingTest } from './support/editing-test.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FIXTURES = path.join(ROOT, 'tests/fixture/import');

const run = (file: string, strapi: string, token: string) =>
  promisify(execFile)(
    process.execPath,
    [
      ...[path.join(ROOT, 'tools/import/run-import.ts'), path.join(FIXTURES, file)],
      ...['--to', 'strapi', '--strapi', strapi, '--offline', '--address', 'https://old.example'],
      ...['--media', path.join(FIXTURES, 'media')],
    ],
    { env: { ...process.env, STRAPI_TOKEN: token } },
  );
const refusal = (file: string, strapi: string, token: string) =>
  run(file, strapi, token).then(
    () => 'nothing was refused',
    (error: ExecFileException) => error.stderr?.trim(),
  );

const it = editingTest.extend('makeToken', { scope: 'file' }, async ({ admin }) => {
  return async (name: string) => {
    const token = { name, type: 'full-access', description: '', lifespan: null, permissions: null };
    const { data } = (await admin.call('POST', '/admin/api-tokens', token)) as {
      data: { accessKey: string };
    };
    return data.accessKey;
  };
});

describe('an import into Strapi', () => {
  it('exports of Ghost and WordPress become entries that the site shows, and a second run changes nothing', async ({
    cms,
    admin,
    makeToken,
    untilAll,
    getPage,
  }) => {
    const token = await makeToken('Site import');
    for (const file of ['ghost.json', 'wordpress.xml']) {
      const { stdout } = await run(file, cms.url, token);
      expect(stdout).toMatch(/entries made [1-9]/);
      expect(stdout).toContain('Not taken (');
      const before = await Promise.all(
        ['article', 'tag', 'redirect', 'author'].map(one => admin.list(one as 'tag')),
      );
      const again = await run(file, cms.url, token);
      expect(again.stdout).toMatch(/entries made 0,/);
      const after = await Promise.all(
        ['article', 'tag', 'redirect', 'author'].map(one => admin.list(one as 'tag')),
      );
      expect(after.map(list => list.length)).toEqual(before.map(list => list.length));
    }
    await untilAll(['/blog/ports/a-harbour-in-winter'], true, 'A harbour in winter');
    await untilAll(['/blog/ports/ships-and-ice'], true, 'Ships &amp; ice');
    const { text } = await getPage('/blog/ports/a-harbour-in-winter');
    for (const part of ['<strong>closed</strong>', 'Ada Poe', '/blog/tags/winter'])
      expect(text).toContain(part);
    expect((await getPage('/a-harbour-in-winter')).headers.location).toContain(
      '/blog/ports/a-harbour-in-winter',
    );
    const members = (await admin.list('article')).find(({ title }) => title === 'For members');
    expect(members?.status).toBe('draft');
  });

  it('the import reports a wrong address, a wrong token and missing types', async ({ cms, makeToken }) => {
    expect(await refusal('ghost.json', 'http://127.0.0.1:1', 'x')).toContain(
      'nothing answers at http://127.0.0.1:1',
    );
    expect(await refusal('ghost.json', cms.url, 'wrong')).toContain('refuses the token');
    expect(await refusal('ghost.json', cms.url, await makeToken('Another'))).toContain(
      'the name “Site import”',
    );
    expect(await refusal('ghost.json', `${cms.url}/none`, 'x')).toMatch(/is missing: npm run cms:types/);
    expect(await refusal('ghost.json', cms.url, '')).toContain('STRAPI_TOKEN is not set');
  });
});
