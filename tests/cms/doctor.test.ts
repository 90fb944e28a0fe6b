import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, inject } from 'vitest';
import { cmsFolder } from '../../build/cms/cms-folder.ts';
import { siteSettings } from '../../build/cms/secrets.ts';
import { readConfig } from '../../server/config.ts';
import { namedTypes } from '../../server/content/described-types.ts';
import { examine } from '../../server/doctor/examine.ts';
import { lineOf } from '../support/doctor-test.ts';
import { eventually } from '../support/eventually.ts';
import { cmsTest } from './support/cms-test.ts';
import { freePort } from './support/free-port.ts';
import { endStrapi, type RunningStrapi, runStrapi } from './support/strapi.ts';

interface Token {
  id: number;
  name: string;
  permissions: string[];
}

interface Schema {
  attributes: Record<string, unknown>;
}

/** The doctor's lines about a CMS, with the configuration of the site. */
async function linesAbout(
  url: string,
  { posts = false, ...env }: { posts?: boolean } & Record<string, string | boolean | undefined> = {},
): Promise<string[]> {
  const settings = siteSettings(inject('seed').settings, url);
  const config = readConfig({ ...settings, CONTENT_TIMEOUT_MS: '20000', ...(env as Record<string, string>) });
  const signal = new AbortController().signal;
  const { findings } = await examine({ config, baseUrl: url, posts, concurrency: 4, signal });
  return findings.map(lineOf);
}

const it = cmsTest
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
  /** Starts the project with other types, on a copy of the content. */
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
      await edit<{ name: string }[]>('types.json', types =>
        types.filter(({ name }) => !removed.includes(name)),
      );
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

describe('the doctor and the Strapi of the project', () => {
  it('finds nothing where site and CMS run as they are set up', async ({ cms, site, admin, getPage }) => {
    const [page] = (await admin.list('page')).filter(({ slug }) => slug === 'press');
    await admin.publish('page', page?.documentId ?? '', { description: 'Its event reaches the site.' });
    await eventually(async () => expect((await getPage('/press')).text).toContain('Its event reaches'));
    const env = { PUBLIC_URL: site.url, OPS_PORT: new URL(site.opsUrl).port };
    expect(await linesAbout(cms.url, { ...env, posts: true })).toEqual([]);
  });

  it('names each permission that the token lacks', async ({ cms, tokens }) => {
    const all = await tokens.permissionsOf('Site');
    try {
      for (const [name, type] of namedTypes) {
        await tokens.permit(
          'Site',
          all.filter(action => !action.startsWith(`api::${name}.`)),
        );
        expect(await linesAbout(cms.url)).toEqual([
          expect.stringMatching(
            new RegExp(
              `^error ${type.path}: .*'${type.path}' \\(403\\) → allow find.* of '${type.path}' .*API Tokens`,
            ),
          ),
        ]);
      }
      await tokens.permit(
        'Site',
        all.filter(action => !action.startsWith('api::country.')),
      );
      expect(await linesAbout(cms.url)).toEqual([
        expect.stringMatching(/^error landing: .* without 'countries_list'.* → allow find of Country/),
      ]);
      await tokens.permit(
        'Site',
        all.filter(action => !action.startsWith('api::email.')),
      );
      expect(await linesAbout(cms.url, { posts: true, WEBHOOK_SECRET: '' })).toEqual(
        expect.arrayContaining([expect.stringMatching(/^error email: .*403.* → allow 'send' of Email/)]),
      );
    } finally {
      await tokens.permit('Site', all);
    }
  });

  it('tells a wrong token, a missing one, and one of the preview that may read nothing', async ({
    cms,
    tokens,
  }) => {
    expect(await linesAbout(cms.url, { CONTENT_TOKEN: 'wrong' })).toEqual([
      expect.stringMatching(/^error token: the CMS does not accept CONTENT_TOKEN \(401\)/),
    ]);
    expect(await linesAbout(cms.url, { CONTENT_TOKEN: '' })).toEqual([
      expect.stringMatching(
        /^error token: the CMS asks for credentials \(401\), and CONTENT_TOKEN is not set/,
      ),
    ]);
    const all = await tokens.permissionsOf('Site preview');
    await tokens.permit('Site preview', ['api::social.social.find']);
    expect(await linesAbout(cms.url)).toEqual([
      expect.stringMatching(/^warning preview: PREVIEW_TOKEN cannot read drafts \(answered 403/),
    ]);
    await tokens.permit('Site preview', all);
    expect(await linesAbout(`${cms.url}/admin`)).toEqual([
      expect.stringMatching(new RegExp(`^error address: .*but at ${cms.url} `)),
    ]);
  });

  it('tells a single type that is not published', async ({ cms, admin }) => {
    const landing = '/content-manager/single-types/api::landing.landing';
    await admin.call('POST', `${landing}/actions/unpublish`, {});
    expect(await linesAbout(cms.url)).toEqual([
      expect.stringMatching(/^error landing: 'landing' is saved and not published \(404\) → .*Publish/),
    ]);
    await admin.publish('landing', null, {});
    expect(await linesAbout(cms.url)).toEqual([]);
  });
});

describe('the doctor and a Strapi whose types are others', () => {
  it('finds every field that is not needed, type by type', async ({ start }) => {
    const taken = new Map<string, string[]>();
    const { url } = await start((attributes, name) => {
      const type = namedTypes.find(([known]) => known === name)?.[1];
      for (const [field, { required, orElse }] of Object.entries(type?.fields ?? {})) {
        if (required || orElse || !(field in attributes) || field === 'category') continue;
        delete attributes[field];
        taken.set(name, [...(taken.get(name) ?? []), field]);
      }
    });
    const lines = await linesAbout(url);
    for (const [name, type] of namedTypes)
      for (const field of taken.get(name) ?? [])
        expect(
          lines.some(line => line.startsWith(`warning ${type.path}: `) && line.includes(`'${field}'`)),
          `${name}.${field}`,
        ).toBe(true);
    expect(lines.filter(line => line.startsWith('error '))).toEqual([]);
  });

  it('finds types and fields that are needed', async ({ start }) => {
    const { url } = await start(
      (attributes, name) => {
        if (name === 'page') delete attributes.title;
        if (name === 'author') delete attributes.name;
      },
      ['commerce'],
    );
    expect((await linesAbout(url)).filter(line => !line.startsWith('warning drafts'))).toEqual([
      expect.stringMatching(/^error authors: 'authors' lacks the field 'name'/),
      expect.stringMatching(/^error pages: 'pages' lacks the field 'title'/),
      expect.stringMatching(/^warning commerces: the CMS has no collection 'commerces' \(404\)/),
    ]);
  });
});
