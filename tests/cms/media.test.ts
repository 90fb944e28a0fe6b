import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { picture } from '../support/image-test.ts';
import { sendRequest } from '../support/send-request.ts';
import { cmsTest } from './support/cms-test.ts';

const PAGE = '/business-solutions/payouts';
const UNCHANGING = /^public, max-age=31536000, s-maxage=\d+, immutable$/;

/** A file of the media library, as the panel gets it. */
interface LibraryFile {
  id: number;
  url: string;
  formats: Record<string, { url: string }> | null;
}

const it = cmsTest
  /** Uploads a picture to the media library, or replaces one, as the panel does. */
  .extend('upload', { scope: 'file' }, async ({ admin }) => {
    return async (bytes: Buffer, replaces?: number): Promise<LibraryFile> => {
      const form = new FormData();
      form.append('files', new Blob([Uint8Array.from(bytes)], { type: 'image/png' }), 'chart.png');
      form.append('fileInfo', JSON.stringify({ name: 'chart.png', alternativeText: 'A chart' }));
      const answer = await admin.send(
        'POST',
        `/upload${replaces === undefined ? '' : `?id=${replaces}`}`,
        form,
      );
      const files = [answer].flat() as LibraryFile[];
      if (!files[0]) throw new Error('Nothing was uploaded');
      return files[0];
    };
  })
  /** A picture of the library that a page shows as its cover and in its text. */
  .extend('shown', { scope: 'file' }, async ({ admin, upload, cms }) => {
    const file = await upload(await picture(1_200, 600));
    const [entry] = (await admin.list('business-solution')).filter(({ slug }) => slug === 'payouts');
    // Editors copy file addresses from the library, which shows the panel's address.
    const body = `Before\n\n![In the text](${cms.url}${file.url})\n\nAfter`;
    await admin.publish('business-solution', entry?.documentId ?? '', { cover: file.id, body });
    return file;
  });

describe('a picture of the media library', () => {
  /** @returns the addresses by which a page shows a file, and its renditions. */
  async function addressesOn(getPage: (page: string) => Promise<{ text: string }>, url: string) {
    const { text } = await getPage(PAGE);
    const plain = text.match(new RegExp(`(?<!/images)${url}(\\?v=[0-9a-z]+)?`, 'g')) ?? [];
    const renditions = text.match(/\/images\/uploads\/[^ "]+\/640\.(?:avif|webp)(?:\?v=[0-9a-z]+)?/g) ?? [];
    return {
      plain: [...new Set(plain)],
      renditions: [...new Set(renditions)].filter(src => src.includes('chart')),
    };
  }

  it('a library picture is served as AVIF and WebP, although Strapi has made other formats', async ({
    shown,
    getPage,
    site,
  }) => {
    expect(Object.keys(shown.formats ?? {})).toEqual(expect.arrayContaining(['large', 'medium', 'small']));
    await eventually(async () => expect((await addressesOn(getPage, shown.url)).plain).toEqual([shown.url]));
    const { renditions } = await addressesOn(getPage, shown.url);
    expect(renditions).toHaveLength(2);
    for (const address of renditions) {
      const { status, headers } = await sendRequest(site.url, address);
      expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^image\/(avif|webp)$/)]);
    }
    const { text } = await getPage(PAGE);
    expect(text.match(/<picture/g)?.length).toBeGreaterThanOrEqual(2);
    expect(text).not.toContain('large_chart');
  });

  it('the first block shows a library picture, or figures entered in the panel', async ({
    admin,
    shown,
    getPage,
  }) => {
    const title = 'Charts that arrive';
    await admin.publish('landing', null, { headerBlock: { kind: 'picture', title, picture: shown.id } });
    await eventually(async () => {
      const { text } = await getPage('/');
      expect(text).toMatch(new RegExp(`<img class="[^"]*object-header__picture"[^>]* src="${shown.url}`));
    });
    const figures = [{ title: 'charts in the library', text: '1,200' }];
    await admin.publish('landing', null, { headerBlock: { kind: 'figures', title, figures } });
    await eventually(async () => {
      const { text } = await getPage('/');
      expect(text).toMatch(/<dt [^>]*>charts in the library<\/dt><dd [^>]*>1,200<\/dd>/);
    });
  });

  it('the share image of a page is its library picture, and that of the blog comes from the settings', async ({
    admin,
    shown,
    getPage,
    site,
  }) => {
    const address = `/images${shown.url}/share.jpg`;
    await admin.save('settings', null, { shareImage: shown.id });
    await eventually(async () => {
      for (const page of [PAGE, '/blog'])
        expect((await getPage(page)).text).toContain(`property="og:image" content="${site.url}${address}"`);
    });
    const { status, headers } = await sendRequest(site.url, address);
    expect([status, headers['content-type']]).toEqual([200, 'image/jpeg']);
  });

  it('a replaced library picture gets a new address, and both addresses serve the new bytes', async ({
    shown,
    upload,
    getPage,
    site,
    cms,
  }) => {
    await eventually(async () => expect((await addressesOn(getPage, shown.url)).plain).toEqual([shown.url]));
    const old = await sendRequest(site.url, shown.url);
    const file = await upload(await picture(1_200, 300), shown.id);
    // Strapi keeps the address of a replaced file.
    expect(file.url).toBe(shown.url);
    await eventually(async () => {
      const { plain } = await addressesOn(getPage, shown.url);
      expect(plain).toEqual([expect.stringMatching(/\?v=/)]);
    });
    const { plain, renditions } = await addressesOn(getPage, shown.url);
    for (const address of [...plain, ...renditions])
      expect((await sendRequest(site.url, address)).headers['cache-control']).toMatch(UNCHANGING);
    const [current, unversioned] = [
      await sendRequest(site.url, plain[0] ?? ''),
      await sendRequest(site.url, shown.url),
    ];
    // Strapi shrinks uploads, so the expected bytes are those that it serves.
    const bytes = (await sendRequest(cms.url, shown.url)).body;
    expect(bytes.equals(old.body)).toBe(false);
    expect([current.body.equals(bytes), unversioned.body.equals(bytes)]).toEqual([true, true]);
    expect(renditions).toHaveLength(2);
  });

  it('a deleted library picture disappears with all its renditions', async ({
    admin,
    shown,
    getPage,
    site,
  }) => {
    const { plain, renditions } = await addressesOn(getPage, shown.url);
    const addresses = [shown.url, ...plain, ...renditions];
    for (const address of addresses) expect((await sendRequest(site.url, address)).status).toBe(200);
    const [entry] = (await admin.list('business-solution')).filter(({ slug }) => slug === 'payouts');
    await admin.publish('business-solution', entry?.documentId ?? '', { cover: null, body: 'After' });
    await admin.save('settings', null, { shareImage: null });
    await admin.send('DELETE', `/upload/files/${shown.id}`);
    await eventually(async () => {
      for (const address of addresses) expect((await sendRequest(site.url, address)).status).toBe(404);
      expect((await getPage(PAGE)).text).not.toContain('<picture');
    });
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
