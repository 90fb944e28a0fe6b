import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { type Adopter, copyAdopter, LINE, type Schema } from '../cms/support/adopter.ts';
import { listen } from '../support/listen.ts';

const it = test.extend('adopter', async ({}, { onCleanup }) => {
  const adopter = await copyAdopter();
  onCleanup(() => adopter.remove());
  return adopter;
});

const article = 'src/api/article/content-types/article/schema.json';
const inProject = ({ folder }: Adopter, file: string) => path.join(folder, file);
const textIn = (adopter: Adopter, file: string) => readFile(inProject(adopter, file), 'utf8');
const schemaIn = async (adopter: Adopter, file: string) => JSON.parse(await textIn(adopter, file)) as Schema;

/** The adopter's tags. They have only their path in common with the site's tags. */
const SUBJECT: Schema = {
  kind: 'collectionType',
  collectionName: 'subjects',
  info: { singularName: 'subject', pluralName: 'tags', displayName: 'Subject' },
  options: {},
  attributes: { name: { type: 'string' } },
};
const MESSAGE: Schema = {
  kind: 'collectionType',
  collectionName: 'letters',
  info: { singularName: 'message', pluralName: 'messages', displayName: 'Letter' },
  options: {},
  attributes: { form: { type: 'enumeration', enum: ['letter'] } },
};

describe('npm run cms:types', () => {
  it('npm run cms:types reports fields of a wrong kind with their effect on the site, and does not change them', async ({
    adopter,
  }) => {
    await adopter.edit(article, ({ attributes }) => {
      attributes.tags = { type: 'string' };
      attributes.body = { type: 'integer' };
      attributes.category = { type: 'relation', relation: 'manyToMany', target: 'api::category.category' };
      attributes.title = { type: 'media', multiple: false };
    });
    const before = await schemaIn(adopter, article);
    const { code, stdout } = await adopter.addTypes('--write');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /tags is of the type string, and the site reads one that is a relation to several api::tag.tag\. .*does without it, with a line in its log/,
    );
    expect(stdout).toMatch(/body is of the type integer, .* of the type richtext\. /);
    expect(stdout).toMatch(
      /category is a relation to several api::category.category, .* to one api::category.category/,
    );
    expect(stdout).toMatch(/title is of the type media, .* leaves the entry out, with a line/);
    expect(await schemaIn(adopter, article)).toMatchObject(before);
  });

  it('npm run cms:types recognises a type in another API and a component in another category', async ({
    adopter,
  }) => {
    await mkdir(inProject(adopter, 'src/api/blog/content-types/subject'), { recursive: true });
    const subject = 'src/api/blog/content-types/subject/schema.json';
    await writeFile(inProject(adopter, subject), JSON.stringify(SUBJECT));
    const category = 'src/api/category/content-types/category/schema.json';
    await adopter.edit(category, ({ attributes }) => delete attributes.slug);
    await adopter.addTypes('--write');
    expect((await schemaIn(adopter, subject)).attributes).toMatchObject({ name: {}, previousSlugs: {} });
    expect(existsSync(inProject(adopter, 'src/api/tag'))).toBe(false);
    const { attributes } = await schemaIn(adopter, article);
    expect(attributes.tags).toMatchObject({ target: 'api::blog.subject' });
    // The existing topics have no address yet, and can still be saved.
    expect((await schemaIn(adopter, category)).attributes.slug).toEqual({ type: 'uid', targetField: 'name' });
    const page = await schemaIn(adopter, 'src/api/page/content-types/page/schema.json');
    expect(page.attributes.seo).toMatchObject({ component: 'shared.seo' });
    expect(page.attributes.title).toMatchObject({ required: true });
    expect(existsSync(inProject(adopter, 'src/components/site/seo.json'))).toBe(false);
    const types = JSON.parse(await textIn(adopter, 'src/site/types.json')) as { name: string; uid: string }[];
    expect(types.find(({ name }) => name === 'tag')?.uid).toBe('api::blog.subject');
  });

  it('npm run cms:types adds choices, renames a table whose name is taken, and omits a type whose name is taken', async ({
    adopter,
  }) => {
    await adopter.edit('src/api/event/content-types/event/schema.json', schema => {
      schema.collectionName = 'pages';
      schema.info = { singularName: 'event', pluralName: 'commerce', displayName: 'Event' };
    });
    const file = 'src/api/message/content-types/message/schema.json';
    await mkdir(path.dirname(inProject(adopter, file)), { recursive: true });
    await writeFile(inProject(adopter, file), JSON.stringify(MESSAGE));
    const { stdout } = await adopter.addTypes('--write');
    expect((await schemaIn(adopter, file)).attributes.form?.enum).toEqual([
      ...['letter', 'contact', 'subscribe', 'subscribe-confirm', 'subscribe-leave', 'page-form'],
    ]);
    const page = await schemaIn(adopter, 'src/api/page/content-types/page/schema.json');
    expect([page.collectionName, page.info.pluralName]).toEqual(['site_pages', 'pages']);
    expect(stdout).toMatch(
      /api::commerce\.commerce cannot be added: the type api::event\.event has one of its names/,
    );
    expect(existsSync(inProject(adopter, 'src/api/commerce'))).toBe(false);
  });

  it('npm run cms:types writes TypeScript in a project that uses it', async ({ adopter }) => {
    await writeFile(inProject(adopter, 'tsconfig.json'), '{}');
    await rm(inProject(adopter, 'src/index.js'));
    const { stdout } = await adopter.addTypes('--write');
    expect(stdout).toContain(`a new file src/index.ts`);
    expect(stdout).toContain('npx strapi ts:generate-types');
    expect(await textIn(adopter, 'src/api/tag/routes/tag.ts')).toMatch(
      /^import \{ factories \} .*\n\nexport default factories\.createCoreRouter\('api::tag\.tag'\);\n$/,
    );
    expect(await textIn(adopter, 'src/site/index.ts')).toMatch(/^\/\/ @ts-nocheck\nconst /);
    await writeFile(inProject(adopter, 'src/index.ts'), `export default {};\n${LINE}\n`);
    expect((await adopter.addTypes()).stdout).toMatch(/\n\nNothing is missing\.\n$/);
  });
});

describe('npm run cms:types refuses', () => {
  it('npm run cms:types refuses Strapi 4, an existing folder named site, and a folder without a project', async ({
    adopter,
  }) => {
    await mkdir(inProject(adopter, 'src/site'));
    expect(await adopter.addTypes()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is a folder of your own/),
    });
    await rm(inProject(adopter, 'node_modules'));
    const manifest = inProject(adopter, 'package.json');
    await writeFile(manifest, JSON.stringify({ dependencies: { '@strapi/strapi': '^4.26.0' } }));
    expect(await adopter.addTypes()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is a project of Strapi \^4\.26\.0, .*upgrade first/),
    });
    await writeFile(manifest, '{}');
    expect(await adopter.addTypes()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is no Strapi project/),
    });
    expect(await adopter.addTypes('--nonsense')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Usage: /),
    });
  });

  it('npm run cms:types refuses to write while Strapi answers at the project’s port', async ({ adopter }) => {
    const server = createServer((_req, res) => res.writeHead(204, { strapi: 'You are so French!' }).end());
    const url = await listen(server);
    await writeFile(inProject(adopter, '.env'), `APP_KEYS=a\nPORT=${new URL(url).port}\n`);
    try {
      const { code, stderr } = await adopter.addTypes('--write');
      expect(stderr).toMatch(
        /^Nothing was written, because a Strapi answers at its port \d+ .*End it, and run/,
      );
      expect([code, existsSync(inProject(adopter, 'src/site'))]).toEqual([1, false]);
    } finally {
      server.close();
    }
  });

  it('npm run cms:types refuses to write while a process has the database open', async ({
    adopter,
    skip,
  }) => {
    if (process.platform !== 'linux') skip('only Linux tells which files a process has open');
    await mkdir(inProject(adopter, '.tmp'));
    const database = new DatabaseSync(inProject(adopter, '.tmp/data.db'));
    database.exec('CREATE TABLE kept (id)');
    expect((await adopter.addTypes('--write')).stderr).toContain(
      `because the process ${process.pid} has it open`,
    );
    database.close();
    expect((await adopter.addTypes('--write')).code).toBe(0);
  });
});
