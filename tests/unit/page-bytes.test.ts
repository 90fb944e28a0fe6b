import { createElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { expect, it } from 'vitest';
import { collectPage } from '../../server/render/page-html.ts';

/** @returns the bytes of a page whose document has a rendered text between `before` and `after`. */
function bytesOf(before: string, text: string, after: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(createElement('p', null, text), {
      onAllReady: () => resolve(collectPage({ before, after }, stream)),
      onShellError: reject,
    });
  });
}

it('a page consists of the bytes of its parts, whatever their length and characters', async () => {
  const texts = [
    '',
    'short',
    'ü – 漢 😀',
    'ü – 漢 😀'.repeat(5_000),
    'x'.repeat(200_000),
    '漢'.repeat(300_000),
  ];
  for (const text of texts)
    for (const around of ['', '–', '😀'.repeat(100_000)]) {
      const page = await bytesOf(`<${around}>`, text, `</${around}>`);
      expect(page.equals(Buffer.from(`<${around}><p>${text}</p></${around}>`))).toBe(true);
      expect(page.buffer.byteLength, 'a buffer of its own').toBe(page.byteLength);
    }
});

it('a page keeps its bytes while later pages are assembled', async () => {
  const pages = await Promise.all(['one', 'two', 'three'].map(text => bytesOf('<', text, '>')));
  expect(pages.map(String)).toEqual(['<<p>one</p>>', '<<p>two</p>>', '<<p>three</p>>']);
});
