import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, test } from 'vitest';
import { siteSettings } from '../../build/cms/secrets.ts';
import { freePort } from '../support/free-port.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';
import { type AdminClient, signIn } from './support/admin-client.ts';
import { type Adopter, copyAdopter, type Schema } from './support/adopter.ts';
import { linesAbout } from './support/doctor-cms.ts';
import { endStrapi, type RunningStrapi, runStrapi } from './support/strapi.ts';
import { textOf } from './support/text-of-page.ts';

type Row = Record<string, unknown>;

const it = test
  .extend('adopter', { scope: 'file' }, async ({}, { onCleanup }) => {
    const adopter = await copyAdopter();
    onCleanup(() => adopter.remove());
    return adopter;
  })
  /** Starts the adopter's Strapi with additional environment variables. */
  .extend('start', { scope: 'file' }, async ({ adopter }, { onCleanup }) => {
    let running: RunningStrapi | undefined;
    onCleanup(async () => {
      if (running) await endStrapi(running.child);
    });
    return async (env: Readonly<Record<string, string>>) => {
      const port = String(await freePort());
      running = await runStrapi({ ...env, PORT: port, CMS_PORT: port }, adopter.folder);
      return running;
    };
  })
  /** The adopter's Strapi before the site added anything. It is stopped. */
  .extend('former', { scope: 'file' }, async ({ adopter, start }) => {
    const schemas = await schemasOf(adopter);
    const { child, url } = await start(ownSettings());
    const doctor = await linesAbout(url, { CONTENT_TOKEN: '' });
    const refusal = await adopter.addTypes('--write');
    await endStrapi(child);
    const untouched = await schemasOf(adopter);
    const shown = await adopter.addTypes();
    return { schemas, untouched, doctor, refusal, shown, rows: rowsOf(adopter) };
  })
  /** The adopter's Strapi with everything that the site needs. It is running. */
  .extend('present', { scope: 'file' }, async ({ adopter, former: _, start }) => {
    const written = await adopter.addTypes('--write');
    const schemas = await schemasOf(adopter);
    await adopter.addLine();
    const { url, output } = await start({ ...inject('seed').settings, SITE_URL: 'http://127.0.0.1:1' });
    const rows = rowsOf(adopter);
    return { written, schemas, url, output: output(), rows, admin: await registerAdmin(url) };
  });

/** @returns the environment variables that every Strapi needs. */
function ownSettings(): Record<string, string> {
  const names = ['APP_KEYS', 'ADMIN_JWT_SECRET', 'API_TOKEN_SALT', 'TRANSFER_TOKEN_SALT', 'ENCRYPTION_KEY'];
  const { settings } = inject('seed');
  return Object.fromEntries([...names, 'JWT_SECRET'].map(name => [name, settings[name] ?? '']));
}

/** @returns all rows of the adopter's tables, and of users and permissions, by table. */
function rowsOf({ folder }: Adopter): Map<string, Row[]> {
  const database = new DatabaseSync(path.join(folder, '.tmp/data.db'), { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const own = tables.map(({ name }) => String(name)).filter(name => !/^(strapi|admin|sqlite)_/.test(name));
  const rows = new Map(own.map(name => [name, database.prepare(`SELECT * FROM "${name}"`).all()]));
  database.close();
  return rows;
}

async function schemasOf({ folder }: Adopter): Promise<Map<string, Schema>> {
  const files = ['article', 'category', 'author', 'event', 'landing', 'main-page'].map(
    name => `src/api/${name}/content-types/${name}/schema.json`,
  );
  const components = ['shared/seo', 'article/pull-quote', 'landing/hero'];
  const schemas = new Map<string, Schema>();
  for (const file of [...files, ...components.map(name => `src/components/${name}.json`)])
    schemas.set(file, JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Schema);
  return schemas;
}

const JSON_POST = { 'content-type': 'application/json', 'Idempotency-Key': 'a-key' };

/** @returns the fields of a type that the role Editor may fill in. */
async function editorMay(admin: AdminClient, subject: string): Promise<string[]> {
  const { data: roles } = (await admin.call('GET', '/admin/roles')) as {
    data: { id: number; code: string }[];
  };
  const editor = roles.find(({ code }) => code === 'strapi-editor');
  const { data } = (await admin.call('GET', `/admin/roles/${editor?.id}/permissions`)) as {
    data: { action: string; subject: string; properties: { fields?: string[] } }[];
  };
  const action = 'plugin::content-manager.explorer.update';
  return data.find(one => one.action === action && one.subject === subject)?.properties.fields ?? [];
}

/** Registers the first administrator, as the panel asks its first visitor to do, and signs in. */
async function registerAdmin(url: string): Promise<AdminClient> {
  const admin = { email: 'ida@example.com', password: 'Password1' };
  await fetch(`${url}/admin/register-admin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...admin, firstname: 'Ida', lastname: 'Holm' }),
  });
  return signIn(url, admin.email, admin.password);
}

describe('a Strapi with its own types and 38 articles', () => {
  it('cms:types refuses to write to a running Strapi with 38 articles, and the doctor reports the missing fields', async ({
    former,
  }) => {
    expect(former.refusal).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nothing was written, because the process \d+ (runs Strapi in|has) it/),
    });
    expect(former.untouched).toEqual(former.schemas);
    expect(former.shown.stdout).toContain('Nothing was written. Back up the database');
    expect(former.shown.stdout).toContain('src/index.js, as its last line');
    expect(former.doctor.filter(line => line.includes(' lacks the field')).length).toBeGreaterThan(4);
  });

  it('cms:types keeps the schemas and all rows of a Strapi with 38 articles', async ({
    adopter,
    former,
    present,
  }) => {
    expect(present.written).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Back up the database[\s\S]*Written: \d+ files\./),
    });
    for (const [file, schema] of present.schemas) {
      const before = former.schemas.get(file);
      expect(schema, file).toMatchObject(before ?? {});
      expect({ ...schema, attributes: null }, file).toEqual({ ...before, attributes: null });
    }
    expect((await adopter.addTypes()).stdout).toMatch(/\n\nNothing is missing\.\n$/);
    expect(former.rows.get('articles')).toHaveLength(38 * 2);
    for (const [table, before] of former.rows) {
      const columns = Object.keys(before[0] ?? {});
      const kept = (row: Row) => Object.fromEntries(columns.map(column => [column, row[column]]));
      const found = (present.rows.get(table) ?? []).map(kept);
      expect(found, table).toEqual(expect.arrayContaining(before));
      if (!table.startsWith('up_')) expect(found, table).toHaveLength(before.length);
    }
  });

  it('cms:types adds its code beside the adopter’s: dates, tokens, draft guard, form route, roles', async ({
    adopter,
    present: { url, admin, output },
  }) => {
    expect(output).toContain('76 rows of articles are there.');
    const { settings } = inject('seed');
    const ask = async (address: string, token?: string, post?: unknown) => {
      const headers = { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(post ? JSON_POST : {}) };
      const body = post ? { method: 'POST', body: JSON.stringify(post) } : {};
      return (await fetch(`${url}${address}`, { headers, ...body })).status;
    };
    // The public role of the adopter keeps its permissions.
    expect(await ask('/api/articles')).toBe(200);
    for (const token of [undefined, settings.SITE_TOKEN])
      expect(await ask('/api/articles?status=draft', token)).toBe(403);
    expect(await ask('/api/articles?status=draft', settings.PREVIEW_TOKEN)).toBe(200);
    expect(await ask('/api/tags', settings.SITE_TOKEN)).toBe(200);
    expect(await ask('/api/email/send', settings.SITE_TOKEN, { form: 'none' })).toBe(400);

    const [category] = await admin.list('category');
    const id = await admin.create('article', {
      ...{ title: 'Without a date', slug: 'without-a-date' },
      category: { connect: [{ documentId: category?.documentId }] },
    });
    await admin.publish('article', id, {});
    const row = rowsOf(adopter)
      .get('articles')
      ?.find(({ slug }) => slug === 'without-a-date');
    expect(row?.date).not.toBeNull();
    await admin.remove('article', id);
    // A type of the adopter has a field with the same name, which does not belong to the site.
    const events = '/content-manager/collection-types/api::event.event';
    const { results } = (await admin.call('GET', events)) as { results: { documentId: string }[] };
    await admin.call('POST', `${events}/${results[0]?.documentId}/actions/publish`, {});
    expect(
      rowsOf(adopter)
        .get('events')
        ?.map(({ date }) => date),
    ).toEqual([null, null]);
    expect(await editorMay(admin, 'api::article.article')).toEqual(
      expect.arrayContaining(['source', 'sections']),
    );
    expect(await editorMay(admin, 'api::tag.tag')).toContain('name');
  });

  it('an adopter’s Strapi passes the doctor once its settings are saved, and the site shows its articles', async ({
    present: { url, admin },
  }) => {
    expect(await linesAbout(url)).toEqual([expect.stringMatching(/^error settings: /)]);
    await admin.save('settings', null, { siteName: 'The adopter' });
    expect(await linesAbout(url)).toEqual([]);
    const env = { ...siteSettings(inject('seed').settings, url) };
    const site = await startSite({ contentBaseUrl: url, env });
    try {
      for (const [address, text] of [
        ['/', 'The adopter'],
        ['/blog', 'Story 27'],
        ['/blog/travel/story-2', 'The text of story 2.'],
      ] as const) {
        const answer = await sendRequest(site.url, address, { headers: AS_BROWSER });
        expect(answer.status, address).toBe(200);
        expect(textOf(answer.text)).toContain(text);
      }
    } finally {
      await site.close();
    }
  });
});
