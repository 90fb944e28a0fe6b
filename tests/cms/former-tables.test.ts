import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { describe, expect, inject, type TestContext, test } from 'vitest';
import { siteSettings } from '../../build/cms/secrets.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgres } from '../support/postgres.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';
import { endStrapi, runStrapi } from './support/strapi.ts';
import { textOf } from './support/text-of-page.ts';

type Row = Record<string, unknown>;
/**
 * A database that the CMS of 2026-11-23 has filled with home page, blog page, settings, and their content.
 */
interface FormerDatabase {
  /** Environment variables by which the CMS uses the database. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a query. */
  rows(query: string): Promise<Row[]>;
  /** Query for the names of all tables and indexes. */
  readonly names: string;
  close(): Promise<void>;
}

/** Tables by their former and their present names. */
const RENAMED = [
  ['landing_list', 'landings'],
  ['landing_list_cmps', 'landings_cmps'],
  ['landing_list_countries_list_lnk', 'landings_countries_list_lnk'],
  ['main_page_list', 'main_pages'],
  ['main_page_list_cmps', 'main_pages_cmps'],
  ['settings_list', 'settings'],
  ['settings_list_cmps', 'settings_cmps'],
] as const;

/** @returns the statements that create the database. The CMS of the commit 19615f3 has filled it. */
async function dumpOf(kind: string): Promise<string> {
  const file = path.resolve(import.meta.dirname, 'former-tables', `${kind}.sql.gz`);
  return gunzipSync(await readFile(file)).toString();
}

const DATABASES: Readonly<
  Record<string, (folder: string, context: Pick<TestContext, 'skip'>) => Promise<FormerDatabase>>
> = {
  async sqlite(folder) {
    await mkdir(folder, { recursive: true });
    const database = new DatabaseSync(path.join(folder, 'content.db'));
    database.exec(await dumpOf('sqlite'));
    return {
      env: {},
      rows: async query => database.prepare(query).all(),
      names: 'SELECT name FROM sqlite_master',
      close: async () => database.close(),
    };
  },
  async postgres(_, context) {
    const server = await startPostgres(context);
    await server.query(await dumpOf('postgres'));
    return {
      env: { DATABASE_URL: server.url },
      rows: async query => (await server.query(query)).rows,
      // PostgreSQL, not Strapi, names id sequences and primary keys. They keep their former names.
      names: "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'i') AND relname NOT LIKE '%_pkey'",
      close: () => server.dispose(),
    };
  },
};

const it = test.extend('startFormer', async ({}, { onCleanup }) => {
  const ends: (() => Promise<unknown>)[] = [];
  onCleanup(async () => {
    for (const end of ends.reverse()) await end();
  });
  return async (kind: string, context: Pick<TestContext, 'skip'>) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'cms-former-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const database = await DATABASES[kind]?.(path.join(folder, 'data'), context);
    if (!database) throw new Error(`There is no database ${kind}`);
    ends.push(() => database.close());
    const before = await Promise.all(
      RENAMED.map(([name]) => database.rows(`SELECT * FROM ${name} ORDER BY id`)),
    );
    const { settings } = inject('seed');
    const strapi = await runStrapi({
      ...settings,
      CMS_DATA_DIR: path.join(folder, 'data'),
      CMS_PORT: String(await freePort()),
      ...database.env,
    });
    ends.push(() => endStrapi(strapi.child));
    const site = await startSite({
      contentBaseUrl: strapi.url,
      env: { ...siteSettings(settings, strapi.url) },
    });
    ends.push(() => site.close());
    return { database, before, strapi, site, settings };
  };
});

describe('a CMS whose single types have the tables of 2026-11-23', () => {
  it.for(Object.keys(DATABASES))(
    'a CMS with the single-type tables of 2026-11-23 keeps home page, blog page and settings (%s)',
    async (kind, { startFormer, skip }) => {
      const { database, before, strapi, site, settings } = await startFormer(kind, { skip });
      const after = await Promise.all(
        RENAMED.map(([, name]) => database.rows(`SELECT * FROM ${name} ORDER BY id`)),
      );
      for (const [index, [name]] of RENAMED.entries()) {
        const [rows, former] = [after[index] ?? [], before[index] ?? []];
        expect(former.length, name).toBeGreaterThan(0);
        // Later versions may have other columns.
        const columns = Object.keys(rows[0] ?? {}).filter(column => column in (former[0] ?? {}));
        expect(columns.length, name).toBeGreaterThan(3);
        const shared = (row: Row) => columns.map(column => row[column]);
        expect(rows.map(shared), name).toEqual(former.map(shared));
      }
      const names = (await database.rows(database.names)).map(({ name }) => String(name));
      expect(names.filter(name => /^(landing|main_page|settings)_list/.test(name))).toEqual([]);

      const show = async (address: string) => {
        const { status, text } = await sendRequest(site.url, address, { headers: AS_BROWSER });
        expect(status, address).toBe(200);
        return textOf(text);
      };
      const home = await show('/');
      for (const word of ['Kept by the move', 'Kazakhstan']) expect(home).toContain(word);
      expect(await show('/blog')).toContain('Kept by the move');
      const draft = await fetch(`${strapi.url}/api/landing?status=draft`, {
        headers: { Authorization: `Bearer ${settings.PREVIEW_TOKEN}` },
      });
      expect(await draft.json()).toMatchObject({ data: { title: 'A draft that was never published' } });
    },
  );
});
