import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeResults } from '../../build/write-results.ts';
import {
  type NotedResult,
  RESULTS_FILE,
  readResults,
  resultsFile,
} from '../../server/ops/process/built-results.ts';
import { startBuiltSite } from '../faults/built-site.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { DIST_DIR } from '../support/start-site.ts';

let folder: string;
/** Results file in a copy of the build, beside a copy of the content. */
let results: string;
/** Content of the results file as the build wrote it. */
let built: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'built-results-test-'));
  const dist = path.join(folder, 'dist');
  await cp(path.join(DIST_DIR, 'server'), path.join(dist, 'server'), { recursive: true });
  for (const name of ['client', 'manifest.json'])
    await symlink(path.join(DIST_DIR, name), path.join(dist, name));
  await cp(FIXTURE_CONTENT, path.join(folder, 'content'), { recursive: true });
  results = path.join(dist, 'server', RESULTS_FILE);
  await rm(results);
  await writeResults(dist, path.join(folder, 'content'));
  built = await readFile(results, 'utf8');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @returns the HTML of pages that the copied build serves. */
async function pages(...paths: readonly string[]): Promise<string[]> {
  const site = await startBuiltSite({
    env: { CONTENT: 'embedded' },
    main: path.join(folder, 'dist/server/main.js'),
  });
  try {
    return await Promise.all(paths.map(async at => (await fetch(site.url + at)).text()));
  } finally {
    await site.dispose();
  }
}

/** @returns the results file of the build, with each result's JSON changed. */
function changed(change: (json: string) => string): string {
  const noted = [...readResults(results)].map(([key, json]): NotedResult => {
    const end = key.indexOf(' ');
    return {
      kind: key.slice(0, end) as NotedResult['kind'],
      text: key.slice(end + 1),
      json: change(json),
    };
  });
  return resultsFile(noted);
}

it('the build stores all front matter, and the compiled texts of the first page', () => {
  const keys = [...readResults(results).keys()];
  expect(keys.filter(key => key.startsWith('front-matter ')).length).toBeGreaterThan(50);
  expect(keys.filter(key => key.startsWith('rich-text ')).length).toBeGreaterThan(0);
});

it('a stored result is not computed again, and a changed file is read again', async () => {
  const marked = (json: string) =>
    json.replace('A short way', 'A kept way').replace('A word about this', 'A kept word about this');
  await writeFile(results, changed(marked));
  const press = path.join(folder, 'content/pages/press.md');
  const source = await readFile(press, 'utf8');
  await writeFile(press, source.replace(/^h1: .*/m, 'h1: Changed after the build'));
  const [landing, about, pressPage] = await pages('/', '/about', '/press');
  expect(landing).toContain('A kept word about this site');
  expect(about).toContain('A kept way between two accounts');
  expect(pressPage).toContain('Changed after the build');
  await writeFile(press, source);
});

it('a damaged results file counts as missing', async () => {
  // The damaged file is still valid JSON.
  await writeFile(results, built.replace('A short way', 'A wrong way'));
  expect(readResults(results).size).toBe(0);
  expect((await pages('/about'))[0]).toContain('A short way between two accounts');
  for (const damaged of [built.slice(0, 1_000), '', 'null\n{}']) {
    await writeFile(results, damaged);
    expect(readResults(results).size).toBe(0);
  }
  await rm(results);
  expect(readResults(results).size).toBe(0);
});
