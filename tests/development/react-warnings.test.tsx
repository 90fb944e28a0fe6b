import { renderToString } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import { pageTree, splitDocument } from '../support/page-tree.ts';
import { SAMPLE_PATHS, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const it = test.extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
  const site = await startSampleSite();
  onCleanup(() => site.close());
  return site;
});

// React's development build writes its warnings to the console, and console output fails a test
// (`tests/support/fail-on-console.ts`).
describe('React’s development build', () => {
  it('React’s development build warns of a missing key', () => {
    const warnings: unknown[] = [];
    vi.mocked(console.error).mockImplementation(message => void warnings.push(message));
    renderToString(<ul>{['first', 'second'].map(text => createItem(text))}</ul>);
    expect(warnings).toEqual([expect.stringContaining('unique "key" prop')]);
  });

  it.for([...Object.values(SAMPLE_PATHS), '/no/such/page'])(
    'React’s development build has no warning about %s',
    async (path, { site }) => {
      const { text } = await sendRequest(site.url, path, { headers: AS_BROWSER });
      const { data, markup } = splitDocument(text);
      expect(markup.length).toBeGreaterThan(1_000);
      // The server renders the parts around a page only once, and the browser renders everything.
      renderToString(await pageTree(data, path));
    },
  );
});

function createItem(text: string) {
  return <li>{text}</li>;
}
