import sharp from 'sharp';
import { expect } from 'vitest';
import { openPage } from '../support/browser.ts';
import { browserTest as it } from '../support/browser-test.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { capture, startFakeBackend } from '../support/fake-backend.ts';
import { startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const SRC = '/uploads/chart.png';

/** @returns a picture of one colour. */
const plain = (background: string, height: number) =>
  sharp({ create: { width: 640, height, channels: 3, background } })
    .png()
    .toBuffer();

it('after the webhook about a replaced picture, a browser shows the new one although the old one is cached', async ({
  browser,
  onTestFinished,
}) => {
  const backend = await startFakeBackend();
  onTestFinished(() => backend.close());
  const pages = structuredClone(capture('v5-as-v4', 'pages.json').data) as { attributes: object }[];
  const [row] = pages;
  Object.assign(row?.attributes ?? {}, { slug: 'chart', body: `![The chart](${SRC})` });
  backend.on('/api/pages', { data: [row], meta: {} });
  const serve = (bytes: Buffer) =>
    backend.on(SRC, (_req, res) => void res.writeHead(200, { 'Content-Type': 'image/png' }).end(bytes));
  serve(await plain('#c0392b', 320));
  const site = await startSite({ contentBaseUrl: backend.url, env: { WEBHOOK_SECRET: SECRET } });
  onTestFinished(() => site.close());

  const { page, close } = await openPage(browser);
  onTestFinished(() => close());
  await page.goto(`${site.url}/chart`);
  /** @returns the address that the browser has chosen, and the height of the picture at a width of 100. */
  const shown = async () => {
    const picture = page.getByAltText('The chart');
    await picture.scrollIntoViewIfNeeded();
    return picture.evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return [image.currentSrc, Math.round((100 * image.naturalHeight) / image.naturalWidth)] as const;
    });
  };
  expect(await shown()).toEqual([expect.stringMatching(/\/images\/uploads\/chart\.png\/\d+\.avif$/), 50]);
  serve(await plain('#27ae60', 160));
  const event = {
    event: 'media.update',
    media: { url: SRC, updatedAt: '2026-11-23T07:00:00.000Z', formats: null },
  };
  await sendWebhook(site.url, SECRET, event);
  await page.goto(`${site.url}/chart`);
  expect(await shown()).toEqual([expect.stringMatching(/\/images\/uploads\/chart\.png\/\d+\.avif\?v=/), 25]);
});
