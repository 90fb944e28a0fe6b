import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { copyRelease } from '../support/fixture.ts';

const PICTURE = '/images/320.webp?src=%2Fuploads%2Fceramics-shelf.jpg';

let folder: string;
const started: ChildProcess[] = [];

/** The image holds only these parts of the project. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'standalone-'));
  await copyRelease(folder);
  const settings = path.join(folder, 'content/settings.json');
  const shareImage = { file: 'ceramics-shelf.jpg', alt: 'Bowls on a shelf' };
  await writeFile(settings, JSON.stringify({ ...JSON.parse(await readFile(settings, 'utf8')), shareImage }));
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<{ url: string; log: () => string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      CONTENT: 'embedded',
      PUBLIC_URL: 'any',
      PORT: '0',
      OPS_PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: path.join(folder, dataDir),
      // The backend runs in this process, which a busy machine may delay.
      CONTENT_TIMEOUT_MS: '30000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`It ended with ${code}: ${output}`)));
    child.stdout?.on('data', chunk => {
      output += chunk;
      const [, port] = /"site":\{[^}]*"port":(\d+)[^\n]*"msg":"listening"/.exec(output) ?? [];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  });
  return {
    url,
    log: () => output,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

const CARD = '/images/card.jpg?page=/blog/guides/reading-a-fee-statement';
const shared = (name: string) => `/images/share.jpg?src=%2Fuploads%2F${name}.jpg`;

/** Requests a shared picture, and expects a JPEG. @returns its bytes. */
async function sharedPicture(address: string): Promise<Buffer> {
  const answer = await fetch(address);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  return Buffer.from(await answer.arrayBuffer());
}

it('the build runs without the sources, with pictures and texts', async () => {
  const site = await start('data');
  const page = await fetch(`${site.url}/blog/cases/ceramics-from-lodz`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('ceramics-shelf.jpg')]);
  const text = await (await fetch(`${site.url}/blog/guides/reading-a-fee-statement`)).text();
  expect(text).toMatch(/<h2 id="[^"]+">/);
  // Until the picture is scaled, the response is the original.
  await eventually(async () => {
    const picture = await fetch(site.url + PICTURE);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });
  const bytesOfDefault = await readFile(path.join(folder, 'dist/server/cards/default.jpg'));
  const ofSettings = await sharedPicture(site.url + shared('ceramics-shelf'));
  expect(await sharedPicture(site.url + shared('missing'))).toEqual(ofSettings);
  for (const other of [ofSettings, bytesOfDefault])
    expect(await sharedPicture(site.url + CARD)).not.toEqual(other);
  await site.stop();
});

it('the build holds only the native packages of this machine', async () => {
  const names = await readdir(path.join(folder, 'dist/node_modules'));
  expect(names.sort()).toEqual(['@img', 'detect-libc', 'semver', 'sharp']);
  const binaries = await readdir(path.join(folder, 'dist/node_modules/@img'));
  const others = binaries.filter(name => !name.includes(`-${process.platform}`) && name !== 'colour');
  expect(others).toEqual([]);
});

it('the build without native packages serves pictures unscaled, and logs it once', async () => {
  await rename(path.join(folder, 'dist/node_modules'), path.join(folder, 'taken-away'));
  const site = await start('data-without');
  for (let time = 0; time < 2; time += 1) {
    const picture = await fetch(site.url + PICTURE);
    expect([picture.status, picture.url, picture.headers.get('content-type')]).toEqual([
      200,
      `${site.url}/uploads/ceramics-shelf.jpg`,
      'image/jpeg',
    ]);
  }
  expect(await sharedPicture(site.url + CARD)).toEqual(
    await readFile(path.join(folder, 'dist/server/cards/default.jpg')),
  );
  await site.stop();
  expect(site.log().match(/pictures cannot be scaled/g)).toHaveLength(1);
});
