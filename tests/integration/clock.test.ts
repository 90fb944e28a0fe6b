import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { startBuiltSite } from '../faults/built-site.ts';
import { backendDirOf } from '../support/backend-dir.ts';
import { cacheStatusOf } from '../support/cache-status.ts';
import { PATHS } from '../support/content-answers.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { message, outboxTest, SEND } from '../support/outbox-test.ts';
import { AS_BROWSER, postJson, sendRequest } from '../support/send-request.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const TTL_MS = 3_600_000;
const PRELOAD = pathToFileURL(path.resolve(import.meta.dirname, '../support/shift-clock.mjs')).href;

/**
 * Gives each test a backend that accepts no message, and processes of the built site whose clock the test
 * sets.
 */
const it = outboxTest
  .extend('clock', async ({ dataDir }) => {
    const file = `${dataDir}.clock`;
    const set = (ms: number) => writeFile(file, String(ms));
    await set(0);
    return { file, set };
  })
  .extend('startBuilt', async ({ backend, dataDir, clock }, { onCleanup }) => {
    const sites: Awaited<ReturnType<typeof startBuiltSite>>[] = [];
    onCleanup(async () => {
      await Promise.all(sites.map(site => site.dispose()));
    });
    return async () => {
      const site = await startBuiltSite({
        contentBaseUrl: backend.url,
        dataDir,
        env: {
          CLOCK_SHIFT: clock.file,
          CONTENT_TTL_MS: String(TTL_MS),
          LOG_LEVEL: 'debug',
          // With PUBLIC_URL a page has one cache key, whatever the port.
          PUBLIC_URL: 'https://www.example.com',
        },
        nodeArguments: ['--import', PRELOAD],
      });
      sites.push(site);
      return site;
    };
  });

const get = (url: string, address: string) => sendRequest(url, address, { headers: AS_BROWSER });
/** @returns the seconds for which a stored page is still fresh. */
const ttlOf = async (url: string) =>
  Number(/ttl=(-?\d+)/.exec(cacheStatusOf(await get(url, '/about')) ?? '')?.[1]);

/** Creates a file of each kind that is deleted at a certain age, and the folder of another backend. */
async function leaveOldFiles(dataDir: string): Promise<string[]> {
  const other = path.join(dataDir, 'backends/cms.example.com-0123456789abcdef');
  await mkdir(other);
  await mkdir(path.join(dataDir, 'mail'));
  const files = [
    path.join(dataDir, 'outbox/dead/letter.json'),
    path.join(dataDir, 'outbox/delivered/mark'),
    path.join(dataDir, 'mail/message.json'),
    path.join(other, 'backend.json'),
  ];
  for (const file of files) await writeFile(file, '{}');
  return files;
}

/** @returns the files that were deleted. */
async function missingOf(files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(files.map(file => stat(file).catch(() => null)));
  return files.filter((_, index) => found[index] === null);
}

it('a clock that jumps back a day, then ahead 120 days, keeps nothing fresh longer and deletes nothing', async ({
  backend,
  clock,
  dataDir,
  names,
  received,
  startBuilt,
}) => {
  backend.on(SEND, failing(503));
  const site = await startBuilt();
  for (const address of PATHS)
    expect([address, (await get(site.url, address)).status]).toEqual([address, 200]);
  expect((await postJson(site.url, SEND, message())).status).toBe(202);
  const backendDir = await backendDirOf(dataDir);
  const kept = async () =>
    (
      await Promise.all(
        ['pages', 'content'].map(folder => readdir(path.join(backendDir, folder), { recursive: true })),
      )
    )
      .flat()
      // An unfinished file ends in `.part`.
      .filter(file => !file.endsWith('.part'));
  await eventually(async () => expect((await kept()).length).toBeGreaterThan(2 * PATHS.length));
  const before = await kept();
  // A page rendered while the site first loads its types is stored as stale, and revalidated.
  await eventually(() => expect(site.lines().map(({ code }) => code)).toContain('content-loaded'));
  await eventually(async () => expect(await ttlOf(site.url)).toBeGreaterThan(0));
  const old = await leaveOldFiles(dataDir);

  for (const ms of [-DAY_MS, 120 * DAY_MS]) {
    await clock.set(ms);
    // Log entries have the system time, so they show that the process has seen the jump.
    await eventually(async () => {
      await get(site.url, '/about');
      const last = site.lines().at(-1)?.time as string;
      expect(Math.abs(Date.parse(last) - Date.now() - ms)).toBeLessThan(DAY_MS / 2);
    });
    const ttl = await ttlOf(site.url);
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(TTL_MS / 1_000);
    const calls = received().length;
    await eventually(() => expect(received().length).toBeGreaterThan(calls), 20_000);
    expect(await names('waiting')).toHaveLength(1);
  }
  // This process records by the new clock that it is running. The next one must not take the jump for a long
  // pause.
  await eventually(async () => {
    const { mtimeMs } = await stat(path.join(dataDir, 'outbox/alive'));
    expect(mtimeMs).toBeGreaterThan(Date.now() + 100 * DAY_MS);
  });
  await site.end('SIGKILL');

  // A process that starts 120 days later by its clock.
  const next = await startBuilt();
  const calls = received().length;
  await eventually(() => expect(received().length).toBeGreaterThan(calls + 1), 20_000);
  expect(await names('waiting')).toHaveLength(1);
  // SIGTERM waits for the deletion of unused folders.
  await next.end('SIGTERM');
  const after = await kept();
  expect(before.filter(file => !after.includes(file))).toEqual([]);
  expect(await missingOf(old)).toEqual([]);
  expect(await names('dead')).toEqual(['letter.json']);
});

it('a page stored with a clock a day ahead is stale in a process with the right time', async ({
  backend,
  clock,
  startBuilt,
}) => {
  await clock.set(DAY_MS);
  const site = await startBuilt();
  // A page rendered while the site first loads its types is stored as stale, and revalidated.
  await eventually(() => expect(site.lines().map(({ code }) => code)).toContain('content-loaded'));
  await eventually(async () => expect(await ttlOf(site.url)).toBeGreaterThan(0));
  await site.end('SIGTERM');
  await clock.set(0);
  // Otherwise the process may revalidate the page before the first request.
  backend.on('/api/pages', failing(503));
  const next = await startBuilt();
  expect(await ttlOf(next.url)).toBeLessThan(0);
  backend.reset();
  await eventually(async () => expect(await ttlOf(next.url)).toBeGreaterThan(0), 20_000);
  expect(await ttlOf(next.url)).toBeLessThanOrEqual(TTL_MS / 1_000);
});
