import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { runCommand } from '../support/run-command.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MAIN = path.join(ROOT, 'dist/server/main.js');

let folder: string;
let content: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'configured-'));
  content = path.join(folder, 'elsewhere');
  await cp(FIXTURE_CONTENT, content, { recursive: true });
  await writeFile(path.join(content, 'pages/about.md'), '---\ntitle: Told elsewhere\n---\n\nA text.\n');
  file = path.join(folder, 'file');
  await writeFile(file, '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function withSite(env: Record<string, string>, look: (site: BuiltSite) => Promise<void>) {
  const site = await startBuiltSite({ env });
  try {
    await look(site);
  } finally {
    await site.dispose();
  }
}

const isElsewhere = async (url: string) =>
  (await sendRequest(url, '/about', { headers: AS_BROWSER })).text.includes('Told elsewhere');

describe('CONTENT_DIR', () => {
  it('the built server serves the files of CONTENT_DIR, in production, too', () =>
    withSite({ CONTENT_DIR: content, NODE_ENV: 'production', PUBLIC_URL: 'any' }, async ({ url }) =>
      expect(await isElsewhere(url)).toBe(true),
    ));

  it('a CONTENT_DIR that is no folder ends the start, with an error that contains the variable’s name', async () => {
    const start = startBuiltSite({ env: { CONTENT_DIR: path.join(folder, 'missing') } });
    await expect(start).rejects.toThrow(/start-config-invalid.*CONTENT_DIR: wants a folder that exists/);
  });
});

describe('a file .env in the working folder', () => {
  const started = (env: Record<string, string>, nodeArguments: readonly string[] = []) =>
    runCommand([process.execPath, ...nodeArguments, MAIN], { cwd: folder, env });

  beforeAll(() =>
    writeFile(path.join(folder, '.env'), `CONTENT_DIR="${content}"\nREPLICA_ID=by-file\nRUM=off\n`),
  );

  it('a file .env is read, and variables that are already set take precedence', async () => {
    const site = await started({ REPLICA_ID: 'by-variable' });
    try {
      expect(await isElsewhere(site.url)).toBe(true);
      expect(site.lines()[0]).toMatchObject({ replica: 'by-variable' });
    } finally {
      await site.dispose();
    }
  });

  it('a file .env is not read in production, unless --env-file names it', async () => {
    const env = { NODE_ENV: 'production', PUBLIC_URL: 'any', CONTENT: 'embedded' };
    const unread = await started(env);
    const read = await started(env, ['--env-file=.env']);
    try {
      expect([await isElsewhere(unread.url), await isElsewhere(read.url)]).toEqual([false, true]);
    } finally {
      await unread.dispose();
      await read.dispose();
    }
  });
});

describe('the built server', () => {
  it('the built server takes a secret from a file', async () => {
    await writeFile(path.join(folder, 'token'), `${'t'.repeat(20)}\n`);
    await withSite({ OPS_TOKEN_FILE: path.join(folder, 'token') }, async ({ opsUrl }) => {
      const status = async (token: string) =>
        (await sendRequest(opsUrl, '/cache', { headers: { authorization: `Bearer ${token}` } })).status;
      expect([await status('t'.repeat(20)), await status('f'.repeat(20))]).toEqual([200, 401]);
    });
  });

  it('the built server warns of a variable with a misspelt name', () =>
    withSite({ CONTNET_TTL_MS: '0' }, async site => {
      expect(site.lines()).toContainEqual(
        expect.objectContaining({
          ...{ level: 'warn', code: 'start-variable-unknown', variable: 'CONTNET_TTL_MS' },
          remedy: 'set CONTENT_TTL_MS if it is meant',
        }),
      );
    }));

  it.each([
    ['HOST', '192.0.2.1'],
    ['HOST', 'no.such.host.invalid'],
    ['OPS_HOST', '192.0.2.1'],
  ])('the built server names %s if it cannot listen on %s', async (variable, host) => {
    const start = startBuiltSite({ env: { [variable]: host } });
    await expect(start).rejects.toThrow(
      new RegExp(`start-config-invalid.*"${variable}: wants an address of this machine`),
    );
  });

  it('the built server serves pages if its data folder is read-only, logs an error and is degraded', () =>
    withSite({ DATA_DIR: path.join(file, 'data') }, async site => {
      expect(site.lines()).toContainEqual(expect.objectContaining({ level: 'error', code: 'disk-down' }));
      const { status, text } = await sendRequest(site.opsUrl, '/readyz');
      expect([status, JSON.parse(text)]).toMatchObject([
        200,
        { status: 'degraded', degraded: [{ reason: 'disk' }] },
      ]);
      expect((await sendRequest(site.url, '/about', { headers: AS_BROWSER })).status).toBe(200);
    }));

  it('the built server ends if DATA_DIR_REQUIRED=on and the data folder is read-only', async () => {
    const start = startBuiltSite({ env: { DATA_DIR: path.join(file, 'data'), DATA_DIR_REQUIRED: 'on' } });
    await expect(start).rejects.toThrow(/start-config-invalid.*DATA_DIR: wants a folder that can be written/);
    await withSite({ DATA_DIR_REQUIRED: 'on' }, async ({ url }) =>
      expect((await sendRequest(url, '/about', { headers: AS_BROWSER })).status).toBe(200),
    );
  });
});
