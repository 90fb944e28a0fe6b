import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EmbeddedBackend,
  startEmbeddedBackend,
} from '../../server/embedded-cms/start-embedded-backend.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FIXTURES = path.join(ROOT, 'tests/fixture/import');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (file: string, out: string, ...more: string[]) =>
  promisify(execFile)(process.execPath, [
    path.join(ROOT, 'tools/import/run-import.ts'),
    ...[path.join(FIXTURES, file), '--out', out, '--offline', '--address', 'https://old.example'],
    ...['--media', path.join(FIXTURES, 'media'), ...more],
  ]);

interface Case {
  readonly file: string;
  readonly article: string;
  readonly old: string;
  readonly texts: readonly string[];
  readonly lost: readonly string[];
}

const CASES: readonly Case[] = [
  {
    file: 'ghost.json',
    article: '/blog/ports/a-harbour-in-winter',
    old: '/a-harbour-in-winter',
    texts: [
      'A harbour in winter',
      '<strong>closed</strong>',
      'href="/about-the-port',
      'Ada Poe',
      '/blog/tags/winter',
    ],
    lost: [
      'ghost.json: posts[0] "A harbour in winter": codeinjection_head: ',
      'ghost.json: posts[0] "A harbour in winter": text: __GHOST_URL__/content/images/2024/05/gone.png: ',
      'ghost.json: posts[1] "For members": visibility: ',
      'ghost.json: posts[3] "Written in Lexical": html: ',
    ],
  },
  {
    file: 'wordpress.xml',
    article: '/blog/ports/ships-and-ice',
    old: '/2024/05/ships-and-ice',
    texts: ['Ships &amp; ice', '<em>line</em>', 'Ada Poe', '/blog/tags/winter'],
    lost: [
      'wordpress.xml: item[0] "Ships & ice": content:encoded: ',
      'wordpress.xml: item[0] "Ships & ice": wp:comment: ',
      'wordpress.xml: item[3] "A product": wp:post_type: ',
    ],
  },
];

describe.each(CASES)('the import of $file', ({ file, article, old, texts, lost }) => {
  let out: string;
  let output: string;
  let backend: EmbeddedBackend;
  let site: RunningSite;
  beforeAll(async () => {
    out = path.join(folder, file);
    output = (await run(file, out)).stdout;
    backend = await startEmbeddedBackend({ contentDir: out, mailDir: path.join(folder, 'mail') });
    site = await startSite({ contentBaseUrl: backend.url });
  });
  afterAll(async () => {
    await site.close();
    await backend.close();
  });
  const get = (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });

  it('the import shows the article with its author, tags and files', async () => {
    const { status, text } = await get(article);
    expect(status).toBe(200);
    for (const part of texts) expect(text).toContain(part);
    expect(await readdir(path.join(out, 'uploads'))).toEqual(['harbour.gif']);
    expect((await get('/blog')).text).toContain(`href="${article}"`);
  });

  it('the import redirects the old address', async () => {
    const { status, headers } = await get(old);
    expect([status, headers.location]).toEqual([301, article]);
  });

  it('the import reports content that it could not import, with file, entry and field', () => {
    for (const place of lost) expect(output).toContain(place);
  });
});

it('the import makes drafts of members’ articles, and refuses a target folder with files', async () => {
  const out = path.join(folder, 'again');
  await run('ghost.json', out);
  expect(await readFile(path.join(out, 'articles/for-members.md'), 'utf8')).toContain('draft: true');
  await expect(run('ghost.json', out)).rejects.toMatchObject({ code: 1 });
  const other = path.join(folder, 'other');
  await expect(run('media/2024/05/harbour.gif', other)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('harbour.gif is neither the JSON of Ghost nor the XML of WordPress'),
  });
  await expect(run('none.json', other)).rejects.toMatchObject({
    stderr: expect.stringMatching(/^there is no file .*none\.json\n$/),
  });
});
