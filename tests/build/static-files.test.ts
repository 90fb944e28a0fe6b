import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { inFull } from '../support/in-full.ts';
import { copyProject, type ProjectCopy } from '../support/run-command.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { DIST_DIR, type RunningSite, startSite } from '../support/start-site.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Files of `site/static`, each with the content type of its response. */
const FILES: readonly [name: string, content: string | Buffer, type: string][] = [
  ['.well-known/security.txt', 'Contact: mailto:security@example.com\n'.repeat(20), TEXT_TYPE],
  ['.well-known/apple-app-site-association', '{"applinks":{"details":[]}}', JSON_TYPE],
  ['.well-known/assetlinks.json', '[]', JSON_TYPE],
  ['.well-known/acme-challenge/some-token', 'some-token.key', TEXT_TYPE],
  ['site.webmanifest', '{"name":"Corridor"}', 'application/manifest+json; charset=utf-8'],
  ['fonts/old.woff2', Buffer.from([0x77, 0x4f, 0x46, 0x32, 0xff, 0x00]), 'font/woff2'],
  ['fonts/old.ttf', Buffer.from([0x00, 0x01, 0xff]), 'font/ttf'],
  ['a/b/c/d/e.pdf', Buffer.from('%PDF-1.7 \u00ff', 'latin1'), 'application/pdf'],
  ['data.tar.gz', Buffer.from([0x1f, 0x8b, 0x08, 0x00]), 'application/gzip'],
  ['campaign/index.html', '<!doctype html><title>Campaign</title>', 'text/html; charset=utf-8'],
  ['notes.unknown', 'A text.', TEXT_TYPE],
  ['firmware.unknown', Buffer.from([0xff, 0xfe, 0x00]), 'application/octet-stream'],
  ['empty.txt', '', TEXT_TYPE],
  ['Ünï cödé & more/100% (1) + 1.txt', 'Grüße', TEXT_TYPE],
];

/** Names that any file system accepts and the build does not ignore. */
const NAMES = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map(name => name.replace(/[/\\\0:*?"<>|]/g, '').normalize('NFC'))
  .filter(name => /^[^.\s]/.test(name) && !/[.\s~]$/.test(name) && name.isWellFormed());
const GENERATED = fc
  .sample(fc.tuple(NAMES, NAMES, fc.string()), { numRuns: 40, seed: 7 })
  .map(
    ([folder, name, content], index) =>
      [`generated-${index}/${folder}/${name}.txt`, content, TEXT_TYPE] as const,
  );

let copy: ProjectCopy;
let backend: FakeBackend;
let site: RunningSite;

/** Build steps for `site/static`. The whole build takes far longer. */
const ADD_STATIC_FILES = `
  import { precompress } from './build/smaller-files.ts';
  import { readStaticFiles } from './build/copied-files.ts';
  import { writeFiles } from './build/output-files.ts';
  const files = await readStaticFiles();
  await writeFiles('dist', [...files, ...(await precompress(files))]);
`;

/** Builds the site with the files in a copy of the project. The short form builds only the static files. */
beforeAll(async () => {
  [copy, backend] = await Promise.all([copyProject(), startFakeBackend()]);
  for (const [name, content] of [...FILES, ...GENERATED]) {
    const file = path.join(copy.folder, 'site/static', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  if (!inFull) await cp(DIST_DIR, path.join(copy.folder, 'dist'), { recursive: true });
  const build = inFull ? ['esbuild.config.mjs'] : ['--input-type=module', '--eval', ADD_STATIC_FILES];
  await promisify(execFile)(process.execPath, build, { cwd: copy.folder });
  site = await startSite({ contentBaseUrl: backend.url, distDir: path.join(copy.folder, 'dist') });
});
afterAll(async () => {
  await site?.close();
  await Promise.all([copy.remove(), backend.close()]);
});

const addressOf = (name: string) => `/${name.split('/').map(encodeURIComponent).join('/')}`;
const get = (name: string, headers: Record<string, string> = {}) =>
  sendRequest(site.url, addressOf(name), { headers });

describe('a file of site/static', () => {
  const served = async (name: string, content: string | Buffer, type: string) => {
    const answer = await get(name);
    expect([name, answer.status, answer.headers['content-type']]).toEqual([name, 200, type]);
    expect(answer.body.equals(Buffer.from(content as string))).toBe(true);
    expect(answer.headers['cache-control']).toBe('public, max-age=86400');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  };
  it.each(FILES)('a static file is served from its folder, with its content type: %s', served);
  it('a static file is served whatever its name and that of its folder', async () => {
    for (const file of GENERATED) await served(...file);
  });

  it.each(FILES)('a static file is not sent again to a client that has it: %s', async name => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const first = await get(name, { 'accept-encoding': encoding });
      const etag = first.headers.etag ?? '';
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
      for (const condition of [etag, `"other", ${etag}`, '*']) {
        const again = await get(name, { 'accept-encoding': encoding, 'if-none-match': condition });
        expect([again.status, again.headers.etag, again.body.length]).toEqual([304, etag, 0]);
      }
      const changed = await get(name, { 'accept-encoding': encoding, 'if-none-match': 'W/"other"' });
      expect([changed.status, changed.headers.etag]).toEqual([200, etag]);
    }
  });

  it('a static text file is compressed whatever its name, and other files are not', async () => {
    for (const name of [
      '.well-known/security.txt',
      '.well-known/apple-app-site-association',
      'site.webmanifest',
    ]) {
      const [, content = ''] = FILES.find(([known]) => known === name) ?? [];
      const [br, gzip] = [
        await get(name, { 'accept-encoding': 'br' }),
        await get(name, { 'accept-encoding': 'gzip' }),
      ];
      expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
      expect([brotliDecompressSync(br.body).toString(), gunzipSync(gzip.body).toString()]).toEqual([
        content,
        content,
      ]);
      expect(br.headers.vary).toBe('Accept-Encoding');
    }
    for (const name of ['fonts/old.woff2', 'data.tar.gz', 'firmware.unknown']) {
      const answer = await get(name, { 'accept-encoding': 'br, gzip' });
      expect([name, answer.headers['content-encoding'], answer.headers.vary]).toEqual([
        name,
        undefined,
        undefined,
      ]);
    }
  });

  it('a static file is served with a query, and to HEAD', async () => {
    expect((await sendRequest(site.url, '/site.webmanifest?v=2')).text).toBe('{"name":"Corridor"}');
    const head = await sendRequest(site.url, '/.well-known/security.txt', { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '740', 0]);
  });

  it('the static folder itself, files outside it, and compressed copies have no address', async () => {
    const answers = {
      '/.well-known': 404,
      '/campaign': 404,
      '/fonts/none.woff2': 404,
      '/.well-known/%2e%2e/%2e%2e/manifest.json': 400,
      '/..%2fassets': 400,
      '/.well-known/security.txt.br': 404,
      '/site.webmanifest.gz': 404,
      '/%E0%A4%A': 400,
    };
    const found = Object.keys(answers).map(async address => {
      const { status } = await sendRequest(site.url, address, { headers: AS_BROWSER });
      return [address, status];
    });
    expect(Object.fromEntries(await Promise.all(found))).toEqual(answers);
  });
});
