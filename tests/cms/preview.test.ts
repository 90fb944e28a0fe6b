import { describe, expect } from 'vitest';
import type { ContentTypeName } from '../../shared/content/content-types.ts';
import { eventually } from '../support/eventually.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import type { AdminClient } from './support/admin-client.ts';
import { cmsTest as it } from './support/cms-test.ts';

/** Entries to edit: content type, slug, field and page. A single type has no slug. */
const EDITS = [
  ['article', 'getting-paid-in-brazil', 'title', '/blog/guides/getting-paid-in-brazil'],
  ['page', 'press', 'title', '/press'],
  ['landing', null, 'title', '/'],
] as const;

/** @returns the document id of an entry. A single type has one entry, which needs no name. */
async function idOf(admin: AdminClient, type: ContentTypeName, name: string | null): Promise<string> {
  if (name !== null) return (await admin.list(type)).find(({ slug }) => slug === name)?.documentId ?? '';
  const single = await admin.call('GET', `/content-manager/single-types/api::${type}.${type}`);
  return (single as { data: { documentId: string } }).data.documentId;
}

/**
 * Opens a preview at the address from the CMS, as the panel's button does. @returns its cookie header and its
 * page.
 */
async function openPreview(admin: AdminClient, type: ContentTypeName, documentId: string) {
  const query = `documentId=${documentId}&status=draft`;
  const given = await admin.call('GET', `/content-manager/preview/url/api::${type}.${type}?${query}`);
  const address = new URL((given as { data: { url: string } }).data.url);
  const answer = await sendRequest(address.origin, address.pathname + address.search, {
    headers: AS_BROWSER,
  });
  expect(answer.status, answer.text).toBe(307);
  return {
    cookie: answer.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '',
    path: answer.headers.location ?? '',
  };
}

describe('a draft in the CMS', () => {
  it.for(EDITS)(
    'a draft of the type %s (%s) is in the preview, and is public once it is published',
    async ([type, name, field, path], { admin, getPage, site }) => {
      const marker = `A draft of ${type}`;
      const documentId = await idOf(admin, type, name);
      await getPage(path);
      await admin.save(type, name === null ? null : documentId, { [field]: marker });
      const preview = await openPreview(admin, type, documentId);
      expect(preview.path).toBe(path);
      const headers = { ...AS_BROWSER, cookie: preview.cookie };
      const previewed = await sendRequest(site.url, preview.path, { headers });
      expect(previewed.status).toBe(200);
      expect(previewed.text).toContain(marker);
      expect(previewed.headers['content-security-policy']).toMatch(/frame-ancestors http:/);
      expect((await getPage(path)).text).not.toContain(marker);
      await admin.publish(type, name === null ? null : documentId, { [field]: marker });
      await eventually(async () => expect((await getPage(path)).text.includes(marker)).toBe(true));
    },
  );

  it('a new draft has a page only in previews until it is published', async ({ admin, getPage, site }) => {
    const categories = await admin.list('category');
    const category = categories.find(({ slug }) => slug === 'guides')?.documentId ?? '';
    const documentId = await admin.create('article', {
      title: 'A new article',
      slug: 'a-new-article',
      // Lists show the newest first, and previews show articles before their dates.
      date: '2099-01-01',
      category: { connect: [{ documentId: category }] },
    });
    const { cookie, path } = await openPreview(admin, 'article', documentId);
    expect(path).toBe('/blog/guides/a-new-article');
    const headers = { ...AS_BROWSER, cookie };
    expect((await sendRequest(site.url, path, { headers })).text).toContain('A new article');
    expect((await sendRequest(site.url, '/blog/guides', { headers })).text).toContain('A new article');
    expect((await getPage(path)).status).toBe(404);
    expect((await getPage('/blog/guides')).text).not.toContain('A new article');
  });
});
