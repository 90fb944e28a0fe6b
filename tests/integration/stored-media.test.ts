import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

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
  backend.on(address, (_req, res) => res.writeHead(200, { 'Content-Type': 'image/png' }).end(body));
}

/** The file of the only medium whose contents begin with a text. */
async function storedFile(body: string): Promise<string> {
  const folder = path.join(site.site.backendFolder.dir, 'media');
  const files = (await readdir(folder)).map(name => path.join(folder, name));
  for (const file of files) if ((await readFile(file, 'utf8')).startsWith(body)) return file;
  return expect.fail(`no file begins with ${body}`);
}

it('an empty file is sent as an empty body, from the disk too', async () => {
  serve('/uploads/empty.png', '');
  for (let time = 0; time < 2; time++) {
    const answer = await sendRequest(site.url, '/uploads/empty.png');
    expect([answer.status, answer.body.byteLength]).toEqual([200, 0]);
    expect(answer.headers['content-type']).toBe('image/png');
  }
  expect(backend.calls).toHaveLength(1);
});

it.each([
  ['cut short', (file: string) => truncate(file, 5)],
  ['replaced by something else', (file: string) => writeFile(file, 'something else')],
])('a stored file that was %s is fetched again, and the log names it once', async (harm, damage) => {
  const address = `/uploads/${harm.replaceAll(' ', '-')}.png`;
  serve(address, `the picture that was ${harm}`);
  const first = await sendRequest(site.url, address);
  await damage(await storedFile(first.text));
  const again = await sendRequest(site.url, address);
  expect([again.status, again.text, again.headers.etag]).toEqual([200, first.text, first.headers.etag]);
  expect(site.log.filter(({ key }) => key === address)).toMatchObject([
    { level: 'warn', msg: 'disk store: an entry that cannot be read counts as absent' },
  ]);
});
