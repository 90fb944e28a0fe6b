import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { copyProject, type ProjectCopy, type RunningCommand, runCommand } from '../support/run-command.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { DIST_DIR, type LogLine } from '../support/start-site.ts';

const ROOT = path.resolve(DIST_DIR, '..');

let backend: FakeBackend;
let copy: ProjectCopy;
let damaged: string;
let built: BuiltSite | undefined;

beforeAll(async () => {
  [backend, copy] = await Promise.all([startFakeBackend(), copyProject()]);
  damaged = await mkdtemp(path.join(os.tmpdir(), 'damaged-'));
  const site = await startBuiltSite({ contentBaseUrl: backend.url, dataDir: damaged });
  await sendRequest(site.url, '/about', { headers: AS_BROWSER });
  await site.end('SIGTERM');
  await site.dispose();
  const files = readdirSync(damaged, { recursive: true, encoding: 'utf8' });
  const totals = files.filter(file => /totals\.[\w-]+\.json$/.test(file));
  expect(totals).toHaveLength(1);
  for (const file of totals) await writeFile(path.join(damaged, file), '{');
});
afterEach(async () => {
  await built?.dispose();
  built = undefined;
});
afterAll(() => Promise.all([backend.close(), copy.remove(), rm(damaged, { recursive: true, force: true })]));

/** @returns a copy of the damaged data folder. A start logs its damaged file, with the error's stack. */
async function damagedFolder(name: string): Promise<string> {
  const folder = path.join(copy.folder, name);
  await cp(damaged, folder, { recursive: true });
  return folder;
}

async function stackOfDamage({ lines }: { lines(): readonly LogLine[] }): Promise<string> {
  return eventually(() => {
    const entry = lines().find(({ code }) => code === 'cache-file-damaged');
    const { stack } = (entry?.err ?? {}) as { stack?: string };
    return stack ?? expect.fail('no stack has been logged');
  });
}

/** @returns the source lines of the frames of a stack. */
function sourceLines(stack: string, folder: string): string[] {
  return Array.from(
    stack.matchAll(/((?:server|shared)\/[\w/.-]+\.tsx?):(\d+):(\d+)/g),
    ([, file = '', line]) => {
      const text = readFileSync(path.join(folder, file), 'utf8').split('\n')[Number(line) - 1];
      expect(text, `${file}:${line}`).toBeDefined();
      return text ?? '';
    },
  );
}

describe('an error in the log', () => {
  it('an error logged by the built server names source lines', async () => {
    built = await startBuiltSite({
      contentBaseUrl: backend.url,
      dataDir: await damagedFolder('of-the-build'),
    });
    const stack = await stackOfDamage(built);
    expect(stack).toContain('server/cache/disk/process-file.ts:');
    expect(stack).not.toContain('site.js');
    const lines = sourceLines(stack, ROOT);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(/\w\(|\bawait\b/);
  });
});

describe('a fault of the CMS in the log', () => {
  it('a logged fault of the CMS has no stack, because reading the source map would delay all pages', async () => {
    built = await startBuiltSite({ contentBaseUrl: backend.url, env: { LOG_LEVEL: 'debug' } });
    const { url, lines } = built;
    backend.on('/api/commerces', failing(500));
    expect((await sendRequest(url, '/commerce/online-shops', { headers: AS_BROWSER })).status).toBe(503);
    const faults = await eventually(() => {
      const errors = lines().flatMap(
        ({ err }) => (err as { type?: string; stack?: string } | undefined) ?? [],
      );
      const found = errors.filter(({ type }) => type === 'BackendError');
      expect(found).not.toEqual([]);
      return found;
    });
    expect(faults.filter(({ stack }) => stack !== undefined)).toEqual([]);
  });
});

describe('npm run dev', () => {
  let dev: RunningCommand;
  beforeAll(async () => {
    dev = await runCommand(['npm', 'run', 'dev'], {
      cwd: copy.folder,
      env: { CONTENT_BASE_URL: backend.url, DATA_DIR: await damagedFolder('of-dev') },
    });
  });
  afterAll(() => dev?.dispose());

  it('npm run dev gives the browser the sources of each script', async () => {
    for (const file of ['client/hydrate.tsx', 'site/routes/page/page.tsx']) {
      const { text } = await sendRequest(dev.url, `/@dev/${file}`);
      const [, map = ''] =
        /\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(text) ?? [];
      const { sourcesContent }: { sourcesContent: string[] } = JSON.parse(
        Buffer.from(map, 'base64').toString(),
      );
      expect(sourcesContent).toEqual([readFileSync(path.join(ROOT, file), 'utf8')]);
    }
  });

  it('npm run dev logs source lines', async () => {
    const stack = await stackOfDamage(dev);
    expect(stack).toContain('server/cache/disk/process-file.ts:');
    expect(sourceLines(stack, copy.folder).length).toBeGreaterThan(2);
  });
});

describe('the build and the image', () => {
  const files = readdirSync(DIST_DIR, { recursive: true, encoding: 'utf8' }).map(file =>
    file.replaceAll(path.sep, '/'),
  );

  it('the build has one source map without sources, which the server reads', () => {
    expect(files.filter(file => file.endsWith('.map'))).toEqual(['server/site.js.map']);
    const text = readFileSync(path.join(DIST_DIR, 'server/site.js.map'), 'utf8');
    // With the packages the map would have 2.7 MB.
    expect(text.length).toBeLessThan(1_700_000);
    const map = JSON.parse(text) as {
      sources: string[];
      sourcesContent?: string[];
    };
    expect(map.sourcesContent ?? []).toEqual([]);
    expect(map.sources).toContain('../../server/main.ts');
  });

  it('no built script refers to a source map', () => {
    const scripts = files.filter(file => /^(?:client|server)\/.*\.js$/.test(file));
    expect(scripts.length).toBeGreaterThan(10);
    for (const file of scripts)
      expect([
        file,
        readFileSync(path.join(DIST_DIR, file), 'utf8').includes('\n//# sourceMappingURL='),
      ]).toEqual([file, false]);
  });
});
