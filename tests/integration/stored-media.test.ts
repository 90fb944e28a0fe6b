import { open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

/** Beginning of each file, from which the site detects its type. */
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

let backend: FakeBackend;
let site: RunningSite;

beforeAll(async () => {
  backend = await startFakeBackend();
  site = await startSite({ contentBaseUrl: backend.url });
});
beforeEach(() => backend.reset());
afterAll(async () => {
  await site.close();
  await backend.close();
});

function serve(address: string, body: string): void {
  backend.on(address, (_req, res) => res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(SVG + body));
}

/** @returns the only stored file whose contents begin with a text. */
async function storedFile(body: string): Promise<string> {
  const folder = path.join(site.site.backendFolder.dir, 'media');
  const files = (await readdir(folder)).map(name => path.join(folder, name));
  for (const file of files) if ((await readFile(file, 'utf8')).startsWith(body)) return file;
  return expect.fail(`no file begins with ${body}`);
}

it('an empty file is served with an empty body, also from disk', async () => {
  // A stylesheet that the settings list, because an empty file is no valid picture.
  const address = '/uploads/custom_25a38560a1.css';
  backend.on(address, (_req, res) => res.writeHead(200, { 'Content-Type': 'text/css' }).end());
  for (let time = 0; time < 2; time++) {
    const answer = await sendRequest(site.url, address);
    expect([answer.status, answer.body.byteLength]).toEqual([200, 0]);
    expect(answer.headers['content-type']).toMatch(/^text\/css/);
  }
  expect(backend.calls.filter(({ url }) => url === address)).toHaveLength(1);
});

it.each([
  ['cut short', (file: string) => truncate(file, 5)],
  ['replaced by something else', (file: string) => writeFile(file, 'something else')],
])('a stored file that was %s is fetched again, and logged once', async (harm, damage) => {
  const address = `/uploads/${harm.replaceAll(' ', '-')}.svg`;
  serve(address, `the picture that was ${harm}`);
  const first = await sendRequest(site.url, address);
  await damage(await storedFile(first.text));
  const again = await sendRequest(site.url, address);
  expect([again.status, again.text, again.headers.etag]).toEqual([200, first.text, first.headers.etag]);
  expect(site.log.filter(({ key }) => key === address)).toMatchObject([
    { level: 'warn', code: 'disk-entry-unreadable' },
  ]);
});

it('a damaged file makes the site degraded until the file is fetched again, or removed', async () => {
  const address = '/uploads/damaged.svg';
  const ready = async () => JSON.parse((await sendRequest(site.opsUrl, '/readyz')).text);
  serve(address, 'the picture that is damaged');
  const { text } = await sendRequest(site.url, address);
  const file = await storedFile(text);
  for (const mend of [() => sendRequest(site.url, address), () => rm(file)]) {
    await truncate(file, 5);
    backend.on(address, failing(503));
    expect((await sendRequest(site.url, address)).status).toBe(503);
    expect(await ready()).toMatchObject({
      status: 'degraded',
      degraded: [{ reason: 'damaged', since: expect.any(String) }],
      damaged: [path.relative(site.site.config.dataDir, file)],
    });
    serve(address, 'the picture that is damaged');
    await mend();
    expect(await ready()).toMatchObject({ status: 'ready', degraded: [] });
  }
});

/** Changes one byte in the middle of a file, as a power cut or a failing disk may. */
async function changeByte(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write('#', SVG.length + 3);
  await handle.close();
}

it('a stored file with one changed byte is fetched again by the next process, and logged', async () => {
  const address = '/uploads/other-byte.svg';
  serve(address, 'the picture with another byte');
  const first = await sendRequest(site.url, address);
  await changeByte(await storedFile(first.text));
  const { dataDir } = site.site.config;
  const next = await startSite({ contentBaseUrl: backend.url, dataDir });
  const calls = backend.callsTo(address).length;
  for (let time = 0; time < 2; time++) {
    const again = await sendRequest(next.url, address);
    expect([again.status, again.text, again.headers.etag]).toEqual([200, first.text, first.headers.etag]);
  }
  expect(backend.callsTo(address)).toHaveLength(calls + 1);
  expect(next.log.filter(({ path: logged }) => logged === address)).toMatchObject([
    { level: 'warn', code: 'media-file-changed' },
    { level: 'info', code: 'http-request' },
    { level: 'info', code: 'http-request' },
  ]);
  await next.close();
});
