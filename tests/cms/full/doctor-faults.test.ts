import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { namedTypes } from '../../../server/wire/described-types.ts';
import { freePort } from '../../support/free-port.ts';
import { signIn } from '../support/admin-client.ts';
import { doctorTest, linesAbout } from '../support/doctor-cms.ts';

const it = doctorTest
  /** Configuration of the running site, which the doctor examines, too. */
  .extend('running', { scope: 'file' }, async ({ site }) => ({
    posts: true,
    PUBLIC_URL: site.url,
    OPS_PORT: new URL(site.opsUrl).port,
  }));

describe('a fault of the configuration', () => {
  it('the doctor reports a CMS address without a server, and one with another server', async ({ site }) => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await linesAbout(nowhere)).toEqual([
      expect.stringMatching(new RegExp(`^error address: nothing answers at ${nowhere} `)),
    ]);
    expect(await linesAbout(site.url)).toEqual([expect.stringMatching(/^error address: /)]);
  });

  it('the doctor reports secrets that differ between site and CMS', async ({ cms, running, settings }) => {
    const other = 'another-secret-that-the-site-does-not-know';
    for (const [env, line] of [
      [{ WEBHOOK_SECRET: '' }, /^warning webhook: there is no webhook, /],
      [
        { WEBHOOK_SECRET: other },
        /^warning webhook: an event does not reach the site .*401.* → run the doctor with/,
      ],
      [
        { PREVIEW_SECRET: other },
        /^warning preview: the site does not open a preview .*401.* same PREVIEW_SECRET/,
      ],
      [
        { PREVIEW_TOKEN: settings.SITE_TOKEN },
        /^warning preview: PREVIEW_TOKEN is the same token as CONTENT_TOKEN/,
      ],
      [
        { PREVIEW_FRAME_ORIGINS: 'https://panel.example.com' },
        /^warning preview: the panel at .* may not show/,
      ],
    ] as const)
      expect(await linesAbout(cms.url, { ...running, ...env }), JSON.stringify(env)).toContainEqual(
        expect.stringMatching(line),
      );
  });

  it('without the sweep the doctor reports that no event has arrived, until one does', async ({
    admin,
    cms,
    running,
  }) => {
    const silent = expect.stringMatching(/^warning webhook: no event has come since the site started/);
    expect(await linesAbout(cms.url, running)).toEqual([]);
    const unswept = { ...running, CONTENT_SWEEP_MS: '0' };
    expect(await linesAbout(cms.url, unswept)).toEqual([silent]);
    const [page] = (await admin.list('page')).filter(({ slug }) => slug === 'press');
    await admin.publish('page', page?.documentId ?? '', { description: 'An event.' });
    await expect.poll(() => linesAbout(cms.url, unswept)).toEqual([]);
  });
});

describe('a fault of the content', () => {
  it('the doctor reports missing files', async ({ cms, cmsSettings }) => {
    const uploads = path.join(cmsSettings.CMS_DATA_DIR ?? '', 'public/uploads');
    await rename(uploads, `${uploads}-elsewhere`);
    expect(await linesAbout(cms.url)).toEqual([
      expect.stringMatching(
        /^error media: the file \/uploads\/.* cannot be fetched from .*404.* → .*public\/uploads/,
      ),
    ]);
    await rename(`${uploads}-elsewhere`, uploads);
    expect(await linesAbout(cms.url)).toEqual([]);
  });
});

it('the doctor reports a CMS without draft guard and form route', async ({ start }) => {
  const { url } = await start(
    () => {},
    [],
    async app => {
      const file = path.join(app, 'src/site/index.js');
      const lines = (await readFile(file, 'utf8')).split('\n');
      const calls = ['addFormsRoute(strapi)', 'guardDrafts(strapi)'];
      await writeFile(file, lines.filter(line => !calls.some(call => line.includes(call))).join('\n'));
    },
  );
  expect(
    await linesAbout(url, {
      posts: true,
      WEBHOOK_SECRET: '',
      PREVIEW_SECRET: '',
      PREVIEW_TOKEN: '',
      PREVIEW_FRAME_ORIGINS: '',
    }),
  ).toEqual([
    expect.stringMatching(/^error email: .*POST \/api\/email\/send .*40[45].* → /),
    expect.stringMatching(/^warning drafts: CONTENT_TOKEN can read drafts of /),
    expect.stringMatching(/^warning webhook: there is no webhook/),
  ]);
});

describe('the doctor and a Strapi with other types', () => {
  it('the doctor reports each missing optional field, type by type', async ({ start }) => {
    const taken = new Map<string, string[]>();
    const { url } = await start((attributes, name) => {
      const type = namedTypes.find(([known]) => known === name)?.[1];
      for (const [field, { required, optional, emptyMeans }] of Object.entries(type?.fields ?? {})) {
        const isNeeded = (required && !optional) || emptyMeans !== undefined;
        if (isNeeded || !(field in attributes) || field === 'category') continue;
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

  it('the doctor reports missing required types and fields', async ({ start }) => {
    const { url } = await start(
      (attributes, name) => {
        if (name === 'page') delete attributes.title;
        if (name === 'author') delete attributes.name;
      },
      ['commerce'],
    );
    expect((await linesAbout(url)).filter(line => !line.startsWith('warning drafts'))).toEqual([
      expect.stringMatching(/^error authors: “Author” .* lacks the field 'name'/),
      expect.stringMatching(/^error pages: “Page” .* lacks the field 'title'/),
      expect.stringMatching(/^warning commerces: the CMS has no type “Commerce page”/),
    ]);
  });

  it('the doctor reports fields that a component lacks', async ({ settings, start }) => {
    const { url } = await start(
      () => {},
      [],
      async app => {
        const file = path.join(app, 'src/components/site/seo.json');
        const schema = JSON.parse(await readFile(file, 'utf8')) as { attributes: Record<string, unknown> };
        delete schema.attributes.canonicalURL;
        delete schema.attributes.metaImage;
        await writeFile(file, JSON.stringify(schema));
      },
    );
    // Only an entry with the component reveals which plain fields the component has.
    const admin = await signIn(url, settings.ADMIN_EMAIL ?? '', settings.ADMIN_PASSWORD ?? '');
    const [entry] = (await admin.list('business-solution')).filter(({ slug }) => slug === 'payouts');
    await admin.publish('business-solution', entry?.documentId ?? '', {});
    const lines = await linesAbout(url);
    const owners = namedTypes.filter(([, type]) => 'seo' in type.fields).map(([, { path }]) => path);
    expect(lines.map(line => line.split(':')[0])).toEqual(owners.map(owner => `warning ${owner}`));
    for (const line of lines) {
      const added = line.startsWith('warning business-solutions')
        ? 'metaImage (Media), canonicalURL (Text)'
        : 'metaImage (Media)';
      expect(line).toContain("'seo.metaImage'");
      expect(line).toContain(
        `Strapi: Content-Type Builder → Components → Search engines → Add another field: ${added} (`,
      );
    }
  });
});
