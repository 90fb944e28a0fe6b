import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { copyProject, type ProjectCopy, type RunningCommand, runCommand } from '../support/run-command.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { DIST_DIR, type LogLine } from '../support/start-site.ts';

const ROOT = path.resolve(DIST_DIR, '..');
/** At this level a failed request is logged with its stack. */
const env = { LOG_LEVEL: 'debug' };

let backend: FakeBackend;
let copy: ProjectCopy;
let built: BuiltSite | undefined;

beforeAll(async () => {
  [backend, copy] = await Promise.all([startFakeBackend(), copyProject()]);
});
afterEach(async () => {
  await built?.dispose();
  built = undefined;
  backend.reset();
});
afterAll(() => Promise.all([backend.close(), copy.remove()]));

/** Makes the backend fail, and requests a page. @returns the stack of the first logged error. */
async function stackOfFailure({ url, lines }: { url: string; lines(): readonly LogLine[] }): Promise<string> {
  backend.on('/api/commerces', failing(500));
  expect((await sendRequest(url, '/commerce/online-shops', { headers: AS_BROWSER })).status).toBe(503);
  return eventually(() => {
    const stack = lines()
      .map(({ err }) => (err as { stack?: string } | undefined)?.stack)
      .find(text => text !== undefined);
    if (stack === undefined) throw new Error('No error has been logged');
    return stack;
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
    built = await startBuiltSite({ contentBaseUrl: backend.url, env });
    const stack = await stackOfFailure(built);
    expect(stack).toContain('server/backend/backend-client.ts:');
    expect(stack).not.toContain('site.js');
    const lines = sourceLines(stack, ROOT);
    expect(lines.length).toBeGreaterThan(2);
    // The first frame creates the error. All others wait for a call.
    expect(lines[0]).toMatch(/\bnew \w*Error\(|\b(?:throw|return) /);
    for (const line of lines.slice(1)) expect(line).toMatch(/\w\(|\bawait\b/);
  });
});

describe('npm run dev', () => {
  let dev: RunningCommand;
  beforeAll(async () => {
    dev = await runCommand(['npm', 'run', 'dev'], {
      cwd: copy.folder,
      env: { ...env, CONTENT_BASE_URL: backend.url },
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
    const stack = await stackOfFailure(dev);
    expect(stack).toContain('server/backend/backend-client.ts:');
    expect(sourceLines(stack, copy.folder).length).toBeGreaterThan(2);
  });
});

describe('the build, and so the image,', () => {
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

  it('no built script names a source map', () => {
    const scripts = files.filter(file => /^(?:client|server)\/.*\.js$/.test(file));
    expect(scripts.length).toBeGreaterThan(10);
    for (const file of scripts)
      expect([
        file,
        readFileSync(path.join(DIST_DIR, file), 'utf8').includes('\n//# sourceMappingURL='),
      ]).toEqual([file, false]);
  });
});
