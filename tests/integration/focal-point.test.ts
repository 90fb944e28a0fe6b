import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

let dir: string;
let backend: Awaited<ReturnType<typeof startEmbeddedBackend>>;
let site: RunningSite;

/** A picture of 2,400 × 630 pixels: red, then green, then blue, each 800 wide. */
async function threeColours(): Promise<Buffer> {
  const part = (background: string) =>
    sharp({ create: { width: 800, height: 630, channels: 3, background } })
      .png()
      .toBuffer();
  const parts = await Promise.all(['#f00', '#0f0', '#00f'].map(part));
  return sharp({ create: { width: 2_400, height: 630, channels: 3, background: '#fff' } })
    .composite(parts.map((input, at) => ({ input, left: at * 800, top: 0 })))
    .png()
    .toBuffer();
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'focal-'));
  const content = path.join(dir, 'content');
  await cp(FIXTURE_CONTENT, content, { recursive: true });
  await writeFile(path.join(content, 'uploads', 'colours.png'), await threeColours());
  const write = (name: string, cover: string) =>
    writeFile(
      path.join(content, 'articles', `${name}.md`),
      `---\ntitle: ${name}\ncategory: news\ndate: 2026-01-01\ncover: ${cover}\n---\n\nText.\n`,
    );
  await write('at-the-end', '{ file: colours.png, alt: Colours, focalPoint: { x: 95, y: 10 } }');
  await write('in-the-middle', '{ file: colours.png, alt: Colours }');
  await write('broken', '{ file: colours.png, alt: Colours, focalPoint: { x: 200, y: 10 } }');
  backend = await startEmbeddedBackend({ contentDir: content, mailDir: path.join(dir, 'mail') });
  site = await startSite({
    contentBaseUrl: backend.url,
    env: { PUBLIC_URL: 'https://www.example.com' },
  });
});
afterAll(async () => {
  await site.close();
  await backend.close();
  await rm(dir, { recursive: true });
});

const get = (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });

/** @returns the colour of the first pixel of a page's share image. */
async function shareOf(page: string) {
  const { text } = await get(page);
  const [address = ''] = /\/images\/uploads\/colours\.png\/share[^"?]*\.jpg/.exec(text) ?? [];
  const answer = await fetch(site.url + address);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const [red = 0, green = 0, blue = 0] = data;
  const colour = red > 128 ? 'red' : green > 128 ? 'green' : blue > 128 ? 'blue' : 'none';
  return { address, colour, size: [info.width, info.height] };
}

describe('the focal point of a picture', () => {
  it('a focal point decides how the share image is cropped', async () => {
    expect(await shareOf('/blog/news/at-the-end')).toEqual({
      address: '/images/uploads/colours.png/share-4-0.jpg',
      // 1,200 pixels at the right: the last 400 of green, and blue.
      colour: 'green',
      size: [1_200, 630],
    });
    expect(await shareOf('/blog/news/in-the-middle')).toEqual({
      address: '/images/uploads/colours.png/share.jpg',
      colour: 'red',
      size: [1_200, 630],
    });
    // A point outside the picture does not count.
    expect((await shareOf('/blog/news/broken')).address).toBe('/images/uploads/colours.png/share.jpg');
    expect((await get('/images/uploads/colours.png/share-5-0.jpg')).status).toBe(404);
  });

  it('a focal point decides which part of a cover is shown, on the page and on cards', async () => {
    for (const page of ['/blog/news/at-the-end', '/blog/news']) {
      const { text } = await get(page);
      expect([page, /<img[^>]*alt="[^"]*"[^>]*data-focus="4-0"/.test(text)]).toEqual([page, true]);
    }
    const styles = (await get('/blog/news')).text.match(/\/assets\/[^"]+\.css/)?.[0] ?? '';
    const css = (await get(styles)).text;
    expect(css).toMatch(/object-position:\s*var\(--focus-x\) var\(--focus-y\)/);
  });
});
