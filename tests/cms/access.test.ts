import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { cmsTest } from './support/cms-test.ts';

interface TypeOfCms {
  name: string;
  uid: string;
  storage: string;
  path: string | null;
  labels: Record<string, { label: string; hint?: string }>;
  hidden?: string[];
}
const TYPES = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../cms/src/site/types.json'), 'utf8'),
) as TypeOfCms[];
const ADDRESSES = TYPES.flatMap(({ path: address, storage, name }) =>
  storage === 'component' ? [] : [`/api/${address ?? (name === 'country' ? 'countries' : name)}`],
);

const it = cmsTest.extend('statusOf', { scope: 'file' }, async ({ cms }) => {
  return async (address: string, token?: string) =>
    (await fetch(`${cms.url}${address}`, token ? { headers: { Authorization: `Bearer ${token}` } } : {}))
      .status;
});

describe('access to the content', () => {
  it('the CMS refuses all content without a token, drafts and messages included', async ({ statusOf }) => {
    for (const address of [...ADDRESSES, '/api/articles?status=draft', '/api/upload/files', '/api/users'])
      expect([401, 403], address).toContain(await statusOf(address));
    expect(await statusOf('/api/messages')).toBe(404);
  });

  it('the public role has no permission for content', async ({ admin }) => {
    const { roles } = (await admin.call('GET', '/users-permissions/roles')) as {
      roles: { id: number; type: string }[];
    };
    const id = roles.find(({ type }) => type === 'public')?.id;
    const { role } = (await admin.call('GET', `/users-permissions/roles/${id}`)) as {
      role: { permissions: unknown };
    };
    expect(JSON.stringify(role.permissions)).toContain('"enabled":false');
    expect(JSON.stringify(role.permissions)).not.toContain('"enabled":true');
  });

  it('the site’s token may read all published entries, and no drafts', async ({ statusOf, settings }) => {
    for (const address of ADDRESSES) {
      expect(await statusOf(address, settings.SITE_TOKEN), address).toBe(200);
      for (const query of [
        'status=draft',
        'status[]=draft',
        'status[$eq]=draft',
        'status=',
        'status=published&status=draft',
      ])
        expect(await statusOf(`${address}?${query}`, settings.SITE_TOKEN), `${address}?${query}`).toBe(403);
    }
    for (const address of ['/api/upload/files', '/api/users', '/api/messages'])
      expect([401, 403, 404], address).toContain(await statusOf(address, settings.SITE_TOKEN));
  });

  it('the preview’s token may also read drafts', async ({ cms, settings }) => {
    const headers = { Authorization: `Bearer ${settings.PREVIEW_TOKEN}` };
    const slugs = async (query: string) => {
      const answer = await fetch(`${cms.url}/api/articles?${query}fields[0]=slug&pagination[pageSize]=100`, {
        headers,
      });
      return ((await answer.json()) as { data: { slug: string }[] }).data.map(({ slug }) => slug);
    };
    expect(await slugs('status=draft&')).toContain('draft-planning-for-next-year');
    expect(await slugs('')).not.toContain('draft-planning-for-next-year');
  });

  it('another token with full access may not read drafts', async ({ cms, admin, statusOf }) => {
    const { data } = (await admin.call('POST', '/admin/api-tokens', {
      name: 'Another',
      description: '',
      type: 'full-access',
      lifespan: null,
    })) as { data: { accessKey: string } };
    expect(await statusOf('/api/articles', data.accessKey), cms.url).toBe(200);
    expect(await statusOf('/api/articles?status=draft', data.accessKey)).toBe(403);
  });
});

describe('the panel', () => {
  it('the panel shows labels and help in place of field names, and omits hidden fields from forms', async ({
    admin,
  }) => {
    const unnamed: string[] = [];
    const shown: string[] = [];
    for (const { uid, storage, labels, hidden = [] } of TYPES) {
      const group = storage === 'component' ? 'components' : 'content-types';
      const { data } = (await admin.call('GET', `/content-manager/${group}/${uid}/configuration`)) as {
        data: Record<
          'contentType' | 'component',
          {
            metadatas: Record<string, { edit: { label: string; description: string } }>;
            layouts: { edit: { name: string }[][] };
          }
        >;
      };
      const { metadatas, layouts } = data[storage === 'component' ? 'component' : 'contentType'];
      for (const { name } of layouts.edit.flat()) if (hidden.includes(name)) shown.push(`${uid} ${name}`);
      for (const [field, { label, hint = '' }] of Object.entries(labels)) {
        const { edit } = metadatas[field] ?? {};
        if (edit?.label !== label || edit.description !== hint)
          unnamed.push(`${uid} ${field}: ${edit?.label}`);
      }
    }
    expect(unnamed).toEqual([]);
    expect(shown).toEqual([]);
    // The first block's title is the heading of the home page, so the field `h1` is hidden.
    expect(TYPES.find(({ uid }) => uid === 'api::landing.landing')?.hidden).toEqual(['h1']);
    expect(TYPES.find(({ uid }) => uid === 'site.landing-position')?.labels.block?.hint).toMatch(/ownText/);
  });

  it('the roles Editor and Author may edit all content types, and only editors publish', async ({
    admin,
  }) => {
    const { data: roles } = (await admin.call('GET', '/admin/roles')) as {
      data: { id: number; code: string }[];
    };
    const actionsOf = async (code: string) => {
      const role = roles.find(one => one.code === code);
      const { data } = (await admin.call('GET', `/admin/roles/${role?.id}/permissions`)) as {
        data: { action: string; subject: string }[];
      };
      return (uid: string) =>
        data.filter(({ subject }) => subject === uid).map(({ action }) => action.split('.').at(-1));
    };
    const [editor, author] = [await actionsOf('strapi-editor'), await actionsOf('strapi-author')];
    for (const { uid, storage } of TYPES.filter(type => type.storage !== 'component')) {
      expect(editor(uid), `${uid} ${storage}`).toEqual(
        expect.arrayContaining(['create', 'read', 'update', 'delete']),
      );
      expect(author(uid), uid).toEqual(expect.arrayContaining(['create', 'read', 'update']));
      expect(author(uid), uid).not.toContain('publish');
    }
    expect(editor('api::article.article')).toContain('publish');
  });

  it('the panel has a preview address for each entry with a page', async ({ admin, settings, sitePort }) => {
    const [article] = await admin.list('article');
    const preview = async (uid: string, documentId = article?.documentId) =>
      (
        (await admin.call(
          'GET',
          `/content-manager/preview/url/${uid}?documentId=${documentId}&status=draft`,
        )) as {
          data: { url: string } | undefined;
        } | null
      )?.data?.url;
    const url = new URL((await preview('api::article.article')) ?? '');
    expect(url.origin + url.pathname).toBe(`http://127.0.0.1:${sitePort}/api/preview`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      type: 'article',
      documentId: article?.documentId,
      status: 'draft',
      secret: settings.PREVIEW_SECRET,
    });
    for (const { uid, path: address, name } of TYPES)
      if (address !== null && name !== 'redirect') expect(await preview(uid), uid).toContain(`type=${name}&`);
  });
});
