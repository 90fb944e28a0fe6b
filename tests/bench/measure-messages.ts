import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { BuiltSite } from '../faults/built-site.ts';
import { postJson } from '../support/send-request.ts';
import type { BenchSizes, Report } from './figures.ts';
import { startGeneratedContent } from './generated-content.ts';
import { fill, startSite } from './measured-site.ts';

const DATA_COMMAND = path.resolve(import.meta.dirname, '../../dist/server/data.js');
const ARTICLES = 2_000;
const MOST_MS = 100;

/** Measures the time until a message is kept: alone, and while caches fill and a backup runs. */
export async function measureMessages({ runs }: BenchSizes, report: Report): Promise<void> {
  const messages = runs * 60;
  const content = await startGeneratedContent({
    ...{ articles: ARTICLES, categories: 6, redirects: 20, pages: 20, tags: 0 },
  });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-messages-'));
  const site = await startSite(content.backend, { FORM_RATE_LIMIT: '1000000', CONTENT_SWEEP_MS: '0' });
  const say = (name: string, { times, refused }: Posts, details: object) =>
    report({
      name: `p99 of an accepted message: ${name}`,
      value: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN,
      unit: 'ms',
      target: { atMost: MOST_MS },
      errors: refused,
      details: { messages: times.length, ...details },
    });
  try {
    say('alone', await post(site, count => count < messages), {});
    let isFilled = false;
    const paths = Array.from({ length: ARTICLES }, (_, number) => content.articlePath(number));
    const filled = fill(site, paths).finally(() => {
      isFilled = true;
    });
    const backups = backUp(site.dataDir, folder, () => isFilled);
    const beside = await post(site, () => !isFilled);
    await filled;
    say('beside a fill and a backup', beside, { backups: await backups, pages: ARTICLES });
  } finally {
    await site.dispose();
    await content.backend.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Posts {
  readonly times: number[];
  refused: number;
}

/** Posts one message after the other. */
async function post(site: BuiltSite, goesOn: (count: number) => boolean): Promise<Posts> {
  const posts: Posts = { times: [], refused: 0 };
  while (goesOn(posts.times.length)) {
    const from = performance.now();
    const message = { form: 'subscribe', email: `a${from}@example.com` };
    const { status } = await postJson(site.url, '/api/email/send', message);
    posts.times.push(performance.now() - from);
    if (status !== 202) posts.refused += 1;
  }
  return posts;
}

/** Makes one backup after the other. @returns their number. */
async function backUp(dataDir: string, folder: string, isEnough: () => boolean): Promise<number> {
  let made = 0;
  while (!isEnough()) {
    const file = path.join(folder, `${made}.gz`);
    const child = spawn(process.execPath, [DATA_COMMAND, 'backup', file], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`The backup failed with ${code}`);
    made += 1;
  }
  return made;
}
