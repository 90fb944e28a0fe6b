import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { picture } from '../support/image-test.ts';
import { editingTest as it } from './support/editing-test.ts';

const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const HOUR_MS = 3_600_000;

describe('dates of entries in the CMS', () => {
  it.for([
    ['page', 'terms', '/terms'],
    ['article', 'money-is-not-a-float', '/blog/engineering/money-is-not-a-float'],
    ['commerce', 'marketplaces', '/commerce/marketplaces'],
    ['tag', 'Disputes', '/blog/tags/disputes'],
  ] as const)(
    'an entry is shown from and until its dates: %s (%s)',
    async ([type, slug, path], { admin, getPage }) => {
      const entry = (await admin.list(type)).find(one => one.slug === slug || one.name === slug);
      const publish = (fields: Record<string, unknown>) =>
        admin.publish(type, entry?.documentId ?? '', fields);
      const statusIs = (status: number) =>
        eventually(async () => expect((await getPage(path)).status).toBe(status));
      await statusIs(200);
      await publish({ publishAt: at(HOUR_MS) });
      await statusIs(404);
      // No event tells the site that this date has come.
      await publish({ publishAt: at(3_000) });
      await statusIs(200);
      await publish({ publishAt: at(-HOUR_MS), unpublishAt: at(3_000) });
      await statusIs(404);
      await publish({ publishAt: null, unpublishAt: null });
      await statusIs(200);
    },
  );

  it('a redirect works from its date on', async ({ admin, getPage }) => {
    await admin.create('redirect', {
      from: '/campaign',
      to: '/about',
      statusCode: 302,
      publishAt: at(3_000),
    });
    await eventually(async () => expect((await getPage('/campaign')).status).toBe(302));
  });

  it('a focal point of the media library decides the crop', async ({ admin, getPage }) => {
    const form = new FormData();
    form.append(
      'files',
      new Blob([Uint8Array.from(await picture(1_600, 1_600))], { type: 'image/png' }),
      'focal.png',
    );
    form.append('fileInfo', JSON.stringify({ name: 'focal.png', focalPoint: { x: 20, y: 80.4 } }));
    const [file] = (await admin.send('POST', '/upload', form)) as { id: number; focalPoint: unknown }[];
    expect(file?.focalPoint).toEqual({ x: 20, y: 80.4 });
    const article = (await admin.list('article')).find(({ slug }) => slug === 'getting-paid-in-india');
    await admin.publish('article', article?.documentId ?? '', { cover: file?.id });
    await eventually(async () => {
      const { text } = await getPage('/blog/guides/getting-paid-in-india');
      expect(text).toMatch(/<img[^>]*data-focus="1-3"/);
      expect(text).toContain('/share-1-3.jpg');
    });
  });
});
