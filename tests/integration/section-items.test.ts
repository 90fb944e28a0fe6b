import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompilePool, createCompilePool } from '../../server/rich-text/compiling/compile-pool.ts';
import { type FakeBackend, sendJson, startFakeBackend } from '../support/fake-backend.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const WORKER = path.resolve(import.meta.dirname, '../support/stages-worker.ts');

describe('a section with a list of components', () => {
  let backend: FakeBackend;
  let compilePool: CompilePool;
  let site: RunningSite;
  beforeAll(async () => {
    backend = await startFakeBackend();
    compilePool = createCompilePool({ file: WORKER });
    site = await startSite({ contentBaseUrl: backend.url, overrides: { compilePool } });
  });
  afterAll(async () => {
    await site.close();
    await compilePool.close();
    await backend.close();
  });

  /** @returns the paragraphs of a page with a list, and the reasons in the log. */
  async function shown(slug: string, items: unknown) {
    const sections = [{ __component: 'site.stages-section', id: 1, items }];
    backend.on('/api/pages', (_req, res) =>
      sendJson(res, 200, { data: [{ id: 7, documentId: slug, title: 'Steps', slug, sections }], meta: {} }),
    );
    const { status, text } = await sendRequest(site.url, `/${slug}`, { headers: AS_BROWSER });
    expect(status).toBe(200);
    const lines = site.log.filter(({ code, id }) => code === 'content-value-left-out' && id === slug);
    return { text, reasons: lines.map(({ reason }) => reason) };
  }

  it('an item that is shown completely is not logged', async () => {
    const { text, reasons } = await shown('whole', [
      { id: 1, title: 'First', text: 'In words' },
      { id: 2, name: 'Second', text: null },
    ]);
    expect(text).toContain('<p>First: In words</p><p>Second</p>');
    expect(reasons).toEqual([]);
  });

  it.each<[slug: string, what: string, items: unknown, html: string, reason: string]>([
    [
      'unknown-key',
      'an unknown key',
      [{ title: 'First', texxt: 'Lost' }],
      '<p>First</p>',
      "items[0]: 'texxt' is not shown",
    ],
    [
      'second-key',
      'a second key of the same field',
      [{ title: 'First', name: 'Lost' }],
      '<p>First</p>',
      "items[0]: 'name' is not shown",
    ],
    [
      'needed',
      'no value that it needs',
      [{ title: 'First' }, { text: 'Lost' }],
      '<p>First</p>',
      "items[1]: 'Lost' is not shown: a step needs a title",
    ],
    [
      'no-text',
      'a value that is no text',
      [{ title: 'First', text: ['Lost'] }],
      '<p>First</p>',
      ': a list is not shown: a text is needed',
    ],
    [
      'no-item',
      'only a text',
      [{ title: 'First' }, 'Lost'],
      '<p>First</p>',
      "items[1]: 'Lost' is not shown: a step is needed",
    ],
    [
      'as-json',
      'an unknown key, in JSON',
      '[{ "title": "First", "texxt": "Lost" }]',
      '<p>First</p>',
      "items[0]: 'texxt' is not shown",
    ],
  ])('an item is logged with its place (/%s): it has %s', async (slug, _, items, html, reason) => {
    const { text, reasons } = await shown(slug, items);
    expect(text).toContain(html);
    expect(text).not.toContain('Lost');
    const place = `section 1 ('site.stages-section')`;
    expect(reasons).toEqual([`${place}${reason.startsWith(':') ? '' : ', '}${reason}`]);
  });

  it('a value that is not a list is logged', async () => {
    const { reasons } = await shown('no-list', { title: 'Lost' });
    expect(reasons).toEqual([
      "section 1 ('site.stages-section'), items: an object is not shown: a list is needed",
      "section 1 ('site.stages-section'): it has no content, and nothing is shown",
    ]);
  });
});
