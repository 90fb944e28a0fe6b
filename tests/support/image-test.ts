import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import sharp from 'sharp';
import { capture } from './fake-backend.ts';
import { close, listen } from './listen.ts';
import { AS_BROWSER, sendRequest } from './send-request.ts';
import { siteTest } from './site-test.ts';

/** Timeout in ms for a hundred concurrent pictures, even on a busy machine. */
export const PATIENT_MS = '60000';

/** @returns a picture of noise, because a picture of one colour would compress to almost nothing. */
export function picture(width: number, height: number, format: 'png' | 'jpeg' = 'png'): Promise<Buffer> {
  const create = { width, height, channels: 3, background: '#0b6b4f' } as const;
  return sharp({ create: { ...create, noise: { type: 'gaussian', mean: 120, sigma: 30 } } })
    .toFormat(format)
    .toBuffer();
}

export const rendition = (src: string, width: number | string = 640, format = 'avif') =>
  `/images/${width}.${format}?src=${encodeURIComponent(src)}`;

function sendPicture(res: ServerResponse, bytes: Buffer, type = 'image/png'): void {
  res.writeHead(200, { 'Content-Type': type }).end(bytes);
}

/** Gives each test file a site that also accepts pictures from another origin. */
export const imageTest = siteTest
  .extend('photo', { scope: 'file' }, () => picture(1000, 500))
  /**
   * The other origin. It serves the photo at every address except `/moved.png`, which redirects to the
   * backend.
   */
  .extend('elsewhere', { scope: 'file' }, async ({ backend, photo }, { onCleanup }) => {
    const served: IncomingMessage[] = [];
    const server = createServer((req, res) => {
      served.push(req);
      if (req.url === '/moved.png')
        res.writeHead(302, { Location: `${backend.url}/uploads/secret.png` }).end();
      else sendPicture(res, photo);
    });
    onCleanup(() => close(server));
    return { url: await listen(server), served };
  })
  .extend('siteEnv', { scope: 'file' }, async ({ elsewhere }) => ({
    MEDIA_ORIGINS: elsewhere.url,
    CONTENT_TIMEOUT_MS: PATIENT_MS,
  }))
  .extend('get', async ({ site }) => {
    return (address: string, headers: Record<string, string> = {}, method = 'GET') =>
      sendRequest(site.url, address, { headers, method });
  })
  /** Adds media to the content, so that the site may fetch them. */
  .extend('nameMedia', async ({ backend, site }) => async (...addresses: readonly string[]) => {
    const pages = capture('v5-as-v4', 'pages.json');
    const [row] = structuredClone(pages.data) as { attributes: Record<string, unknown> }[];
    if (!row) throw new Error('There is no recorded page');
    const slug = `names-${addresses.join().length}`;
    Object.assign(row.attributes, { slug, body: addresses.map(src => `![](${src})`).join('\n\n') });
    backend.on('/api/pages', { data: [row], meta: {} });
    const { status } = await sendRequest(site.url, `/${slug}`, { headers: AS_BROWSER });
    if (status !== 200) throw new Error(`The page that names media is a ${status}`);
  })
  /** Puts a file on the backend. */
  .extend('serve', async ({ backend }) => (address: string, bytes: Buffer | string, type?: string): void => {
    backend.on(address, (_req, res) => sendPicture(res, Buffer.from(bytes), type));
  });
