import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBuiltSite } from '../faults/built-site.ts';
import { parsePage } from '../support/parse-page.ts';
import { copyProject, type ProjectCopy, type RunningCommand, runCommand } from '../support/run-command.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { DIST_DIR } from '../support/start-site.ts';

const ROOT = path.resolve(DIST_DIR, '..');
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name));
const SAMPLES = ['site', 'shared']
  .flatMap(folder => filesIn(path.join(ROOT, folder)))
  .filter(file => file.endsWith('.sample.json'));
const nameOf = (file: string) => path.basename(file, '.sample.json');
const titlesOf = (file: string) =>
  Object.keys(JSON.parse(readFileSync(file, 'utf8'))).map(state => `${nameOf(file)}: ${state}`);

let copy: ProjectCopy;
let dev: RunningCommand;
beforeAll(async () => {
  copy = await copyProject();
  dev = await runCommand(['npm', 'run', 'dev'], { cwd: copy.folder, env: { CONTENT_BASE_URL: '' } });
});
afterAll(async () => {
  await dev?.dispose();
  await copy.remove();
});

const get = async (address: string) => {
  const { status, text } = await sendRequest(dev.url, address, { headers: AS_BROWSER });
  expect(status).toBe(200);
  const { all } = parsePage(text);
  return {
    text,
    titles: Array.from(text.matchAll(/<code>([^<]*: [^<]*)<\/code>/g), ([, title]) => title),
    all,
  };
};

describe('the style guide of npm run dev', () => {
  it('the style guide shows each state of each sample, and no sample has an unknown key', async () => {
    const { text, titles, all } = await get('/styleguide');
    expect(SAMPLES.length).toBeGreaterThan(20);
    expect(titles.sort()).toEqual(SAMPLES.flatMap(titlesOf).sort());
    expect(all('p').filter(({ properties }) => properties.role === 'alert')).toEqual([]);
    for (const words of ['In good company', 'el-partners', 'An answer within one working day', '$4.2m'])
      expect(text).toContain(words);
    const links = all('a').map(({ properties }) => String(properties.href));
    expect(links).toEqual(expect.arrayContaining(SAMPLES.map(file => `/styleguide/${nameOf(file)}`)));
  });

  it('a page of the style guide shows one block, in the chosen theme', async () => {
    const { text, titles } = await get('/styleguide/partners?theme=dark');
    expect(titles).toEqual(['partners: usual', 'partners: long words', 'partners: only what is needed']);
    expect(text).toContain(' data-theme="dark"');
    expect(text).toContain('href="/styleguide/faq?theme=dark"');
    expect((await get('/styleguide/partners')).text).not.toContain('data-theme');
  });

  it('the style guide shows a saved sample at once, and reports an unknown key', async () => {
    const file = path.join(copy.folder, 'site/blocks/partners/partners.sample.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"title": "In good', '"titel": "In good'));
    const { text } = await get('/styleguide/partners');
    expect(text).toMatch(
      /role="alert">sample: &#x27;titel&#x27;: not shown, because the known keys are title/,
    );
  });
});

describe('the style guide in production', () => {
  it('the built site answers 404 for the style guide, and no built file contains any of it', async () => {
    const site = await startBuiltSite({ env: { CONTENT: 'embedded' } });
    try {
      for (const address of ['/styleguide', '/styleguide/partners'])
        expect((await sendRequest(site.url, address, { headers: AS_BROWSER })).status).toBe(404);
    } finally {
      await site.dispose();
    }
    const files = filesIn(DIST_DIR)
      .map(file => path.relative(DIST_DIR, file))
      // Node writes the paths of this machine into its cache.
      .filter(file => !file.includes('compile-cache'));
    expect(files.length).toBeGreaterThan(50);
    const textOf = (file: string) => file + readFileSync(path.join(DIST_DIR, file), 'latin1');
    expect(files.filter(file => /styleguide|sample\.json/i.test(textOf(file)))).toEqual([]);
  });
});
