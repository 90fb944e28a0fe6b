import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { cutPicture, writeContentPlan } from '../../build/cms/content-plan.ts';
import { ensureSecrets } from '../../build/cms/secrets.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';

const it = test.extend('folder', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cms-plan-'));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
});

interface Plan {
  files: { key: string; path: string; alternativeText: string | null }[];
  entries: { key: string; uid: string; status: string; data: Record<string, unknown> }[];
}

describe('the plan for the import of the content folder', () => {
  it('the import plan lists each entry after the entries and files that it refers to', async ({ folder }) => {
    await writeContentPlan(FIXTURE_CONTENT, folder);
    const plan = JSON.parse(await readFile(path.join(folder, 'plan.json'), 'utf8')) as Plan;
    const earlier = new Set<string>();
    const files = new Set(plan.files.map(({ key }) => key));
    for (const { key, data } of plan.entries) {
      const text = JSON.stringify(data);
      for (const match of text.matchAll(/"\$entry":("(?:[^"\\]|\\.)*")/g))
        expect(earlier, `${key} refers to ${match[1]}`).toContain(JSON.parse(match[1] ?? ''));
      for (const match of text.matchAll(/"\$file":("(?:[^"\\]|\\.)*")/g))
        expect(files, `${key} refers to ${match[1]}`).toContain(JSON.parse(match[1] ?? ''));
      earlier.add(key);
    }
    for (const file of plan.files) expect((await stat(file.path)).size, file.path).toBeGreaterThan(0);
    const article = plan.entries.find(({ key }) => key === 'article/getting-paid-in-brazil');
    expect(article).toMatchObject({
      uid: 'api::article.article',
      status: 'published',
      data: { slug: 'getting-paid-in-brazil', category: { $entry: 'category/guides' } },
    });
    expect(plan.entries.filter(({ status }) => status === 'draft')).toHaveLength(1);
    expect(earlier.has('country/germany')).toBe(true);
  });

  it('the import plan links a tag that an article spells in another case', async ({ folder }) => {
    const content = path.join(folder, 'content');
    await mkdir(path.join(content, 'articles'), { recursive: true });
    await mkdir(path.join(content, 'uploads'));
    await writeFile(path.join(content, 'tags.json'), '[{ "name": "Fees" }]');
    await writeFile(path.join(content, 'articles/a.md'), '---\ntitle: A\ntags: [fees]\n---\nText\n');
    await writeContentPlan(content, folder);
    const { entries } = JSON.parse(await readFile(path.join(folder, 'plan.json'), 'utf8')) as Plan;
    expect(entries.find(({ key }) => key === 'article/a')?.data.tags).toEqual([{ $entry: 'tag/Fees' }]);
  });
});

describe('cutPicture', () => {
  it('cutPicture returns one picture of an SVG with the shared definitions, and keeps its position', () => {
    const svg = [
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" viewBox="0 0 8 8">',
      '<clipPath id="disc"/>',
      '<view id="a" viewBox="0 0 8 8"/>',
      '<g transform="translate(0 0)">A</g>',
      '<view id="b" viewBox="0 16 8 8"/>',
      '<g transform="translate(0 16)">B</g>',
      '</svg>',
    ].join('\n');
    expect(cutPicture(svg, 'b').split('\n')).toEqual([
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" viewBox="0 16 8 8">',
      '<clipPath id="disc"/>',
      '<g transform="translate(0 16)">B</g>',
      '</svg>',
    ]);
    expect(() => cutPicture(svg, 'c')).toThrow("no picture 'c'");
  });
});

describe('the secrets of the CMS', () => {
  it('the CMS secrets are generated once, all differ, and only their owner may read them', async ({
    folder,
  }) => {
    const first = ensureSecrets(folder, {}, 'http://localhost:1337');
    const again = ensureSecrets(folder, {}, 'http://localhost:1337');
    expect(again).toEqual(first);
    const secrets = Object.entries(first).filter(([name]) => !['ADMIN_EMAIL', 'SITE_URL'].includes(name));
    expect(secrets.length).toBeGreaterThan(9);
    expect(new Set(secrets.map(([, value]) => value)).size).toBe(secrets.length);
    for (const [name, value] of secrets) expect(value.length, name).toBeGreaterThan(15);
    for (const file of ['.env', 'site.env'])
      expect((await stat(path.join(folder, file))).mode & 0o777, file).toBe(0o600);
    expect(await readFile(path.join(folder, 'site.env'), 'utf8')).toContain(
      `CONTENT_TOKEN=${first.SITE_TOKEN}\n`,
    );
  });

  it('the CMS takes secrets from the environment first, and keeps the lines of its .env file', async ({
    folder,
  }) => {
    await writeFile(path.join(folder, '.env'), 'SITE_TOKEN=of-the-file\nMAIL_TO=a@example.com');
    const settings = ensureSecrets(folder, { SITE_TOKEN: 'of-the-environment' }, 'http://localhost:1337');
    expect(settings).toMatchObject({ SITE_TOKEN: 'of-the-environment', MAIL_TO: 'a@example.com' });
    const text = await readFile(path.join(folder, '.env'), 'utf8');
    expect((await stat(path.join(folder, '.env'))).mode & 0o777).toBe(0o600);
    expect(text).toMatch(/^SITE_TOKEN=of-the-file\nMAIL_TO=a@example\.com\nAPP_KEYS=/);
  });
});
