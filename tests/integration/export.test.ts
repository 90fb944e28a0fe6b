import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { EXPORT_URL, exportTo, exportTest as it } from '../support/export-test.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { picture } from '../support/image-test.ts';
import { parsePage } from '../support/parse-page.ts';

const KESSLER = path.resolve(import.meta.dirname, '../brands/kessler/content');
const ARTICLE = 'blog/guides/accepting-cards-in-spain';

describe('an exported folder', () => {
  it('the folder has a page and a payload for each address of the sitemap', async ({ read, folder }) => {
    const sitemap = await read('sitemap.xml');
    const paths = Array.from(
      sitemap.matchAll(/<loc>([^<]+)<\/loc>/g),
      ([, loc = '']) => new URL(loc).pathname,
    );
    expect(paths.length).toBeGreaterThan(20);
    for (const at of paths.filter(found => found !== '/')) {
      const file = decodeURIComponent(at.slice(1));
      expect([at, parsePage(await read(`${file}.html`)).headings.length]).toEqual([at, 1]);
      expect(existsSync(path.join(folder, 'site', file, '_payload.json'))).toBe(true);
    }
    expect(parsePage(await read('index.html')).headings).toHaveLength(1);
  });

  it.for([
    'robots.txt',
    'llms.txt',
    `${ARTICLE}.md`,
    '.well-known/security.txt',
    'blog/feed.xml',
    'blog/guides/atom.xml',
    'blog/guides/feed.json',
    'builds/latest.json',
    'search.html',
    'search/index.json',
    'favicon.svg',
  ])('the folder has %s', async (file, { read }) => {
    expect(await read(file)).not.toBe('');
  });

  it('the 404 page is exported, and has no canonical URL', async ({ read }) => {
    const page = await read('404.html');
    expect(page).toContain('noindex');
    expect(page).not.toContain('rel="canonical"');
  });

  it('the folder has each file that a page or a feed links to', async ({ read, folder, first }) => {
    for (const file of [`${ARTICLE}.html`, 'index.html', 'blog/feed.xml', 'about.html']) {
      const named = (await read(file))
        .replaceAll(EXPORT_URL, '')
        .match(/(?<=["\s;])\/(?:uploads|images|assets)\/[^\s"&?#<]+/g);
      for (const address of named ?? []) {
        if (first.missing.some(line => line.startsWith(address))) continue;
        expect([file, address, existsSync(path.join(folder, 'site', decodeURIComponent(address)))]).toEqual([
          ...[file, address, true],
        ]);
      }
      expect(named).not.toBeNull();
    }
  });

  it('a logo of the settings is exported, as a drawing and as a rendition', async ({ folder }) => {
    const content = path.join(folder, 'with-logo');
    await cp(KESSLER, content, { recursive: true });
    const settings = JSON.parse(await readFile(path.join(content, 'settings.json'), 'utf8'));
    const logos = { logo: { file: 'stillstand.svg' }, logoDark: { file: 'dark.png' } };
    await writeFile(path.join(content, 'settings.json'), JSON.stringify({ ...settings, ...logos }));
    await writeFile(path.join(content, 'uploads/dark.png'), await picture(400, 100));
    const out = path.join(folder, 'exported-logo');
    await exportTo(folder, {
      ...{ out, dataDir: path.join(folder, 'data-of-logo') },
      env: { PATH: process.env.PATH, CONTENT_DIR: content },
    });
    const page = await readFile(path.join(out, 'contacts.html'), 'utf8');
    for (const address of ['/uploads/stillstand.svg', '/images/uploads/dark.png/640.webp']) {
      expect(page).toContain(`<img src="${address}"`);
      expect([address, existsSync(path.join(out, address))]).toEqual([address, true]);
    }
  });

  it('payloads say that page numbers are part of the path, for the links of lists', async ({ read }) => {
    const payload = JSON.parse(await read('blog/guides/_payload.json'));
    expect(payload.data.shell.numbersInPath).toBe(true);
    const list = await read('blog/guides.html');
    expect(list).not.toMatch(/href="[^"]*\?page=/);
    expect(list).toContain('"numbersInPath":true');
  });

  it('the editors’ redirects are exported for Netlify, Cloudflare and nginx', async ({ read }) => {
    const [redirects, nginx] = await Promise.all([read('_redirects'), read('_nginx.conf')]);
    expect(redirects).toContain('/feed /blog/feed.xml 308\n');
    expect(nginx).toContain('location = "/feed" { return 308 "/blog/feed.xml$is_args$args"; }');
    for (const line of redirects.trim().split('\n')) expect(line).toMatch(/^\/\S* \S+ (?:301|302|307|308)$/);
  });

  it('_headers has the policy of the live site without reports, nosniff and caching', async ({ read }) => {
    const headers = await read('_headers');
    expect(headers).toMatch(/^\/\*\n {2}Content-Security-Policy: default-src 'none'; script-src 'self'/);
    expect(headers).not.toMatch(/report-(?:to|uri)/);
    expect(headers).toContain('  X-Content-Type-Options: nosniff\n');
    expect(headers).toContain('/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n');
  });

  it('the export lists what a static folder cannot do', async ({ first }) => {
    expect(first.missing).toEqual(
      expect.arrayContaining([
        '/subscribe/confirm: its pages depend on a token or a query',
        expect.stringMatching(/^forms: left out/),
        expect.stringMatching(/^search: answered in the browser from titles, descriptions and texts/),
      ]),
    );
  });
});

describe('a second export', () => {
  it('an export without changes writes and removes nothing', async ({ first, exportAgain }) => {
    const second = await exportAgain();
    expect([second.files, second.written, second.removed]).toEqual([first.files, [], []]);
  });

  it('a changed article rewrites the files that show it, and no others', async ({
    backend,
    exportAgain,
    read,
  }) => {
    const { attributes } = backend.row('article', 'accepting-cards-in-spain');
    Object.assign(attributes, { h1: 'Cards in Spain, anew', updatedAt: new Date().toISOString() });
    const { written, removed } = await exportAgain();
    expect(written).toEqual(expect.arrayContaining([`${ARTICLE}.html`, `${ARTICLE}/_payload.json`]));
    expect(await read(`${ARTICLE}.html`)).toContain('Cards in Spain, anew');
    const elsewhere = written.filter(
      file => !/^(?:blog|search\/index|images\/cards|sitemap|index\.html|_payload)/.test(file),
    );
    expect([elsewhere, removed]).toEqual([[], []]);
  });

  it('the files of a removed article vanish, with its empty folder', async ({
    backend,
    exportAgain,
    folder,
  }) => {
    const rows = backend.rows('article');
    rows.splice(rows.indexOf(backend.row('article', 'accepting-cards-in-spain')), 1);
    const { removed } = await exportAgain();
    expect(removed).toEqual(expect.arrayContaining([`${ARTICLE}.html`, `${ARTICLE}/_payload.json`]));
    expect(existsSync(path.join(folder, 'site', ARTICLE))).toBe(false);
  });

  it('an export while the CMS is down fails, and neither adds nor removes files', async ({
    backend,
    exportAgain,
    folder,
  }) => {
    const before = await readdir(path.join(folder, 'site'), { recursive: true });
    backend.on('/api/articles', (_req, res) => res.writeHead(500).end());
    await expect(exportAgain({ dataDir: path.join(folder, 'other-data') })).rejects.toThrow(
      'Does the CMS answer?',
    );
    expect(await readdir(path.join(folder, 'site'), { recursive: true })).toEqual(before);
    backend.reset();
  });
});

it('an export that is killed leaves no server', async ({ backend, folder }) => {
  const { behaviour, waiting } = heldAnswer({});
  backend.on('/api/main-page', behaviour);
  const program = path.resolve(import.meta.dirname, '../../tools/export/run-export.ts');
  const options = ['--out', path.join(folder, 'killed'), '--data', path.join(folder, 'data-of-killed')];
  const env = { PATH: process.env.PATH, CONTENT_BASE_URL: backend.url, CONTENT_TIMEOUT_MS: '60000' };
  const child = spawn(process.execPath, [program, ...options, '--url', EXPORT_URL], { env, stdio: 'ignore' });
  await eventually(() => expect(waiting()).toBeGreaterThan(0));
  child.kill('SIGKILL');
  await eventually(() => expect(waiting()).toBe(0));
  backend.reset();
});

it('a folder with other files is not overwritten', async ({ folder }) => {
  const other = path.join(folder, 'other');
  await mkdir(other);
  await writeFile(path.join(other, 'thesis.txt'), 'years of work');
  await expect(exportTo(folder, { out: other })).rejects.toThrow('neither empty nor an earlier export');
});

it('with --forms, forms are sent to the running site, and the policy allows it', async ({
  exportAgain,
  folder,
}) => {
  const out = path.join(folder, 'with-forms');
  const { missing } = await exportAgain({ out, forms: new URL('https://forms.example.com') });
  expect(missing.filter(line => line.startsWith('forms'))).toEqual([]);
  const [page, headers] = await Promise.all(
    ['index.html', '_headers'].map(file =>
      import('node:fs/promises').then(fs => fs.readFile(path.join(out, file), 'utf8')),
    ),
  );
  expect(page).toContain('action="https://forms.example.com/api/email/send"');
  expect(headers).toContain("form-action 'self' https://forms.example.com;");
});
