import { execFile } from 'node:child_process';
import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_FLAGS } from '../../server/ops/process/memory.ts';
import { startBuiltSite } from '../faults/built-site.ts';
import { parsePage } from '../support/parse-page.ts';
import { copyProject, type ProjectCopy } from '../support/run-command.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const run = promisify(execFile);
const FLAGS = ['--yes', '--name', "Nordwind & O'Neill", '--language', 'de-DE', '--font', 'noto-sans'];

let project: ProjectCopy;
const init = (...flags: readonly string[]) =>
  run(process.execPath, ['tools/init/init.ts', ...flags], { cwd: project.folder });
const read = (file: string) => readFile(path.join(project.folder, file), 'utf8');

beforeAll(async () => {
  project = await copyProject(['tools', 'docs/runbook.md']);
});
afterAll(() => project.remove());

describe('npm run init', () => {
  it.each([
    [['--yes', '--language', 'xx'], /--language xx: there are words in en, de, ar/],
    [['--yes', '--accent', 'red'], /--accent red: a colour has the form/],
    [['--yes', '--font', '../x'], /--font \.\.\/x: a font has a name/],
    [['--yes', '--empty', '--keep-sample'], /contradict/],
  ])('npm run init refuses %j and changes nothing', async (flags, message) => {
    const before = await read('site/brand/brand.ts');
    await expect(init(...flags)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    expect(await read('site/brand/brand.ts')).toBe(before);
    expect(await readdir(path.join(project.folder, 'content'))).toContain('articles');
  });

  it('npm run init keeps the sample content, with the new name, colour and font', async () => {
    await init(...FLAGS, '--accent', '#ff6a00', '--keep-sample', '--cms', 'https://cms.example.com');
    expect(JSON.parse(await read('content/settings.json'))).toMatchObject({
      siteName: "Nordwind & O'Neill",
      language: 'de-DE',
      headerLinks: expect.arrayContaining([expect.anything()]),
    });
    expect(await read('site/brand/brand.ts')).toContain(
      "from: '@fontsource-variable/noto-sans', weights: [400, 700]",
    );
    expect(await read('.env')).toBe('CONTENT_BASE_URL=https://cms.example.com\n');
  });

  it('after npm run init the site builds, and shows only the new name, language and colour', async () => {
    const { stdout } = await init(...FLAGS, '--accent', '#a4262c', '--empty');
    expect(stdout).toContain("Nordwind & O'Neill is ready");
    const kept = (await readdir(path.join(project.folder, 'content'))).filter(name => name !== 'README.md');
    expect(kept.sort()).toEqual(['landing.json', 'main-page.json', 'pages', 'settings.json']);
    await run(process.execPath, ['esbuild.config.mjs'], {
      cwd: project.folder,
      env: { ...process.env, CONTENT_BASE_URL: '' },
    });
    await cp(path.join(project.folder, 'package.json'), path.join(project.folder, 'dist/package.json'));
    const site = await startBuiltSite({
      main: path.join(project.folder, 'dist/server/main.js'),
      nodeArguments: NODE_FLAGS,
      env: { CONTENT: 'embedded' },
    });
    try {
      const pages = await Promise.all(
        ['/', '/contacts', '/privacy', '/blog'].map(at => sendRequest(site.url, at, { headers: AS_BROWSER })),
      );
      for (const { status, text } of pages) {
        expect(status).toBe(200);
        expect(text).toContain('<html lang="de-DE"');
        expect(text).not.toMatch(/Corridor|Besley|Figtree|0b6b4f/i);
      }
      expect(parsePage(pages[0]?.text ?? '').main).toContain('Willkommen bei Nordwind & O’Neill');
      expect(pages[1]?.text).toContain('name="message"');
      expect((await sendRequest(site.url, '/favicon.svg')).text).toMatch(/#a4262c[\s\S]*<path/);
      expect(site.lines().filter(({ level }) => level === 'error')).toEqual([]);
    } finally {
      await site.dispose();
    }
  });
});
