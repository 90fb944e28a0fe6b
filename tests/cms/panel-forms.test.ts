import { describe, expect } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type AdminClient, signIn } from './support/admin-client.ts';
import { editingTest as it } from './support/editing-test.ts';
import { endStrapi, runStrapi } from './support/strapi.ts';

const ARTICLE = 'api::article.article';

interface View {
  settings: { defaultSortBy: string; defaultSortOrder: string };
  metadatas: Record<string, { edit: object; list: { mainField?: string } }>;
  layouts: { list: string[]; edit: { name: string; size: number }[][] };
}

async function viewOf(admin: AdminClient, uid: string): Promise<View> {
  const { data } = (await admin.call('GET', `/content-manager/content-types/${uid}/configuration`)) as {
    data: { contentType: View };
  };
  return data.contentType;
}

const rowsOf = ({ layouts }: View) => layouts.edit.map(row => row.map(({ name }) => name).join(' '));

describe('the forms of the panel', () => {
  it('the form of an article has its fields in the order of work, and rare ones last', async ({ admin }) => {
    const view = await viewOf(admin, ARTICLE);
    expect(rowsOf(view)).toEqual([
      ...['title category', 'description', 'body', 'cover', 'author tags', 'slug date', 'sections', 'ready'],
      ...['seo', 'publishAt unpublishAt', 'h1', 'questions', 'previousSlugs'],
    ]);
    expect(view.layouts.list).toEqual(['title', 'category', 'author', 'date']);
    expect(view.settings).toMatchObject({ defaultSortBy: 'createdAt', defaultSortOrder: 'DESC' });
    const [first] = rowsOf(await viewOf(admin, 'api::landing.landing'));
    expect(first).toBe('positionsAndCustomBlocks');
  });

  it('a restart keeps rearranged forms, shows former fields that have values, and resets forms on request', async ({
    admin,
    cmsSettings,
    settings,
    idOf,
    onTestFinished,
  }) => {
    const { layouts, settings: list, metadatas } = await viewOf(admin, ARTICLE);
    const moved = layouts.edit.toReversed();
    await admin.call('PUT', `/content-manager/content-types/${ARTICLE}/configuration`, {
      layouts: { ...layouts, edit: moved },
      settings: { ...list, defaultSortBy: 'title' },
      // In the format in which the panel saves an arranged form.
      metadatas: Object.fromEntries(
        Object.entries(metadatas).map(
          ([
            name,
            {
              edit,
              list: { mainField: _, ...shown },
            },
          ]) => [name, { edit, list: shown }],
        ),
      ),
    });
    await admin.save('page', await idOf('page', 'careers'), { seoTitle: 'From earlier' });

    const restarted = async (env: Record<string, string>) => {
      const strapi = await runStrapi({ ...cmsSettings, CMS_PORT: String(await freePort()), ...env });
      onTestFinished(() => endStrapi(strapi.child));
      return signIn(strapi.url, settings.ADMIN_EMAIL ?? '', settings.ADMIN_PASSWORD ?? '');
    };
    const later = await restarted({});
    const kept = await viewOf(later, ARTICLE);
    expect(kept.layouts.edit).toEqual(moved);
    expect(kept.settings.defaultSortBy).toBe('title');
    const page = rowsOf(await viewOf(later, 'api::page.page'));
    expect(page.slice(page.indexOf('seo'), page.indexOf('seo') + 2)).toEqual(['seo', 'seoTitle']);
    const renewed = await viewOf(await restarted({ SITE_FORMS: 'renew' }), ARTICLE);
    expect(rowsOf(renewed)[0]).toBe('title category');
    expect(renewed.settings.defaultSortBy).toBe('createdAt');
  });

  it('the rows of the home page are named after their blocks, and a hidden block leaves the page', async ({
    admin,
    getPage,
    untilAll,
  }) => {
    const landing = async () =>
      (
        (await admin.call('GET', '/content-manager/single-types/api::landing.landing')) as {
          data: { positionsAndCustomBlocks: Record<string, unknown>[] };
        }
      ).data.positionsAndCustomBlocks;
    const rows = await landing();
    expect(rows.find(({ block }) => block === 'partners')?.name).toBe('Block “Partners”');
    expect((await getPage('/')).text).toContain('In good company');
    await admin.publish('landing', null, {
      positionsAndCustomBlocks: [
        ...rows.map(row => (row.block === 'partners' ? { ...row, hidden: true } : row)),
        { custom: '## Why us' },
      ],
    });
    await untilAll(['/'], true, 'Why us');
    expect((await getPage('/')).text).not.toContain('In good company');
    const saved = await landing();
    expect(saved.find(({ block }) => block === 'partners')?.name).toBe('Block “Partners” (hidden)');
    expect(saved.at(-1)?.name).toBe('Own text: Why us');
  });

  it('the panel counts the articles of a tag and of an author', async ({ admin }) => {
    const articles = await admin.list('article');
    const authors = await admin.list('author');
    const uses = (await admin.call('GET', '/site/uses/api::author.author')) as Record<string, number>;
    const total = Object.values(uses).reduce((sum, count) => sum + count, 0);
    expect(authors.length).toBeGreaterThan(0);
    expect(total).toBe(articles.filter(({ author }) => author).length);
    expect(await admin.call('GET', '/site/uses/admin::user')).toEqual({});
    await expect(
      admin.send('GET', '/site/uses/api::tag.tag').then(found => Object.keys(found as object).length),
    ).resolves.toBeGreaterThan(0);
  });
});
