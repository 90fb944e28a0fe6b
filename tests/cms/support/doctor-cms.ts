import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { siteSettings } from '../../../build/cms/secrets.ts';
import { cmsFolder } from '../../../build/cms/strapi.ts';
import { readConfig } from '../../../server/config/config.ts';
import { examine } from '../../../server/doctor/examine.ts';
import { namedTypes } from '../../../server/wire/described-types.ts';
import { lineOf } from '../../support/doctor-test.ts';
import { freePort } from '../../support/free-port.ts';
import { cmsTest } from './cms-test.ts';
import { endStrapi, type RunningStrapi, runStrapi } from './strapi.ts';

interface Token {
  id: number;
  name: string;
  permissions: string[];
}

interface Schema {
  attributes: Record<string, unknown>;
}

/** @returns the doctor's lines about a CMS, with the configuration of the site. */
export async function linesAbout(
  url: string,
  { posts = false, ...env }: { posts?: boolean } & Record<string, string | boolean | undefined> = {},
): Promise<string[]> {
  const settings = siteSettings(inject('seed').settings, url);
  const given = { PUBLIC_URL: '', CONTENT_TIMEOUT_MS: '20000', ...(env as Record<string, string>) };
  const config = readConfig({ ...settings, ...given });
  const signal = new AbortController().signal;
  const { findings } = await examine({ config, baseUrl: url, posts, concurrency: 4, signal });
  return findings.map(lineOf);
}

/** Gives each test file the CMS, and functions that break it. */
export const doctorTest = cmsTest
  /** Reads and sets the permissions of API tokens. */
  .extend('tokens', { scope: 'file' }, async ({ admin }) => {
    const list = async () => ((await admin.call('GET', '/admin/api-tokens')) as { data: Token[] }).data;
    return {
      async permissionsOf(name: string): Promise<string[]> {
        return (await list()).find(token => token.name === name)?.permissions ?? [];
      },
      async permit(name: string, permissions: readonly string[]): Promise<void> {
        const token = (await list()).find(one => one.name === name);
        await admin.call('PUT', `/admin/api-tokens/${token?.id}`, { name, type: 'custom', permissions });
      },
    };
  })
  /**
   * Starts the project's Strapi with other content types, without the removed APIs, on a copy of the content.
   * `alter` changes further files of the project.
   */
  .extend('start', async ({}, { onCleanup }) => {
    let folder: string | null = null;
    let strapi: RunningStrapi | null = null;
    onCleanup(async () => {
      if (strapi) await endStrapi(strapi.child);
      if (folder) await rm(folder, { recursive: true, force: true });
    });
    return async (
      change: (attributes: Record<string, unknown>, name: string) => void,
      removed: readonly string[] = [],
      alter: (app: string) => Promise<void> = async () => {},
    ): Promise<RunningStrapi> => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'cms-types-'));
      const app = path.join(folder, 'cms');
      const isCopied = (source: string) =>
        !['node_modules', 'build', '.data', '.tmp'].includes(path.relative(cmsFolder, source));
      await cp(cmsFolder, app, { recursive: true, filter: isCopied });
      await symlink(path.join(cmsFolder, 'node_modules'), path.join(app, 'node_modules'));
      await cp(inject('seed').folder, path.join(folder, 'data'), { recursive: true });
      const edit = async <T>(file: string, alter: (content: T) => unknown) => {
        const at = path.join(app, 'src', file);
        await writeFile(at, JSON.stringify(alter(JSON.parse(await readFile(at, 'utf8')) as T)));
      };
      for (const [name] of namedTypes)
        await edit<Schema>(`api/${name}/content-types/${name}/schema.json`, schema => {
          change(schema.attributes, name);
          return schema;
        });
      for (const name of removed) await rm(path.join(app, 'src/api', name), { recursive: true });
      await edit<{ name: string }[]>('site/types.json', types =>
        types.filter(({ name }) => !removed.includes(name)),
      );
      await alter(app);
      strapi = await runStrapi(
        {
          ...inject('seed').settings,
          CMS_DATA_DIR: path.join(folder, 'data'),
          CMS_PORT: String(await freePort()),
          SITE_URL: 'http://127.0.0.1:1',
        },
        app,
      );
      return strapi;
    };
  });
