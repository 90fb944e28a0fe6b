import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { appClient } from '../support/app-client.ts';
import { capture, type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { AS_BROWSER } from '../support/send-request.ts';

const ARTICLE = '/blog/guides/accepting-cards-in-spain';

interface Row {
  id: number;
  attributes: Record<string, unknown>;
}

let backend: FakeBackend;

beforeAll(async () => {
  backend = await startFakeBackend();
});
beforeEach(() => backend.reset());
afterAll(() => backend.close());

/** The recorded authors, with changed attributes for the author of the article. */
function authors(change: (row: Row) => Row[]): void {
  const [author, ...others] = capture('v5-as-v4', 'authors.json').data as Row[];
  const changed = author ? change(author) : [];
  backend.on('/api/authors', { data: [...changed, ...others], meta: {} });
}

async function pageText(path: string): Promise<string> {
  const { client, close } = await appClient({ contentBaseUrl: backend.url });
  try {
    const answer = await client.get(path).set(AS_BROWSER);
    expect(answer.status).toBe(200);
    return answer.text;
  } finally {
    await close();
  }
}

it('an article shows the author’s record, which is newer than the copy in the article', async () => {
  authors(row => [
    { ...row, attributes: { ...row.attributes, name: 'Jane Roe-Smith', position: 'Chief editor' } },
  ]);
  const text = await pageText(ARTICLE);
  expect(text).toContain('Jane Roe-Smith');
  expect(text).toContain('Chief editor');
  expect(text).not.toContain('>Jane Roe<');
  expect(text).toContain('"@type":"Person","name":"Jane Roe-Smith"');
});

it('an article shows the copy of its author when the record is missing', async () => {
  authors(() => []);
  expect(await pageText(ARTICLE)).toContain('Jane Roe');
});

it('the lead article of the blog shows the author’s record', async () => {
  authors(row => [{ ...row, attributes: { ...row.attributes, name: 'Jane Roe-Smith' } }]);
  expect(await pageText('/blog')).toContain('Jane Roe-Smith');
});
