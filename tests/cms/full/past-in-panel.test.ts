import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { ARTICLES, panelTest as it, picture, withPanel } from '../support/panel-test.ts';

withPanel();

const SLUG = 'what-compliance-will-ask';
const PAGE = `/blog/guides/${SLUG}`;

it('the panel restores an earlier version of an article as a draft, with its questions, picture and relations', async ({
  panel,
  admin,
  openPanel,
  idOf,
  site: _,
  getPage,
}) => {
  const id = await idOf('article', SLUG);
  const draft = async () => {
    const { data } = (await admin.call('GET', `/content-manager/${ARTICLES}/${id}`)) as {
      data: Record<
        string,
        { id?: number; count?: number; question?: string }[] & { id?: number; count?: number }
      >;
    };
    const relation = async (field: string) => {
      const answer = (await admin
        .call('GET', `/content-manager/relations/api::article.article/${field}?id=${id}&page=1&pageSize=50`)
        .catch(() => null)) as { results: { documentId: string }[] } | null;
      return answer?.results.map(({ documentId }) => documentId).sort() ?? data[field];
    };
    return {
      title: data.title,
      cover: data.cover?.id,
      questions: data.questions?.map(({ question }) => question),
      tags: await relation('tags'),
      author: await relation('author'),
    };
  };
  const before = await draft();
  expect([before.questions?.length, before.cover]).toEqual([expect.any(Number), expect.any(Number)]);
  await getPage(PAGE);
  // The preview bar offers only whole minutes, so this test requests exact times by their address.
  await openPanel(`${ARTICLES}/${id}`);
  await panel.getByRole('link', { name: 'Open preview' }).click();
  const frame = await (await panel.waitForSelector('iframe')).contentFrame();
  if (!frame) throw new Error('The preview has no frame');
  const showAt = async (at: number) => {
    const query = new URLSearchParams({ at: new Date(at).toISOString(), url: PAGE });
    await frame.goto(`${new URL(frame.url()).origin}/api/preview/moment?${query}`);
    await frame.waitForFunction(() => document.documentElement.dataset.hydrated === 'true');
  };
  const at = await eventually(async () => {
    const now = Date.now();
    await showAt(now);
    expect(await frame.locator('#preview-bar').innerText()).not.toContain('past is not known');
    return now;
  }, 60_000);
  await admin.publish('article', id, {
    title: 'Another title',
    questions: [],
    cover: null,
    tags: { set: [] },
    author: { set: [] },
  });
  await eventually(async () => expect((await getPage(PAGE)).text).toContain('Another title'));
  expect(await draft()).not.toEqual(before);
  await showAt(at);
  expect(await frame.locator('main h1').innerText()).toBe(before.title);
  await frame.locator('#preview-comparison summary').click();
  await frame.locator('#preview-comparison table').waitFor();
  await picture(panel, 'cms-past');
  await frame.getByRole('button', { name: 'Restore what was then' }).first().click();
  await frame.getByText('Restored as a draft.').waitFor();
  expect(await draft()).toEqual(before);
  expect((await getPage(PAGE)).text).toContain('Another title');
});
