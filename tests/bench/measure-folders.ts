import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { ask } from '../faults/client.ts';
import { backendDirOf } from '../support/backend-dir.ts';
import { startFakeBackend } from '../support/fake-backend.ts';
import { SERVER_CORE } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PROBE = path.resolve(import.meta.dirname, 'tick-probe.ts');
/** The outbox reads its folder every five seconds, so this covers two readings. */
const WATCHED_MS = 12_000;

/** Measures the longest tick of the event loop with a full outbox and many stored media files. */
export async function measureFolders({ waiting, media }: BenchSizes, report: Report): Promise<void> {
  const backend = await startFakeBackend();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'folders-'));
  const start = () =>
    startBuiltSite({
      contentBaseUrl: backend.url,
      dataDir,
      nodeArguments: ['--import', PROBE],
      ...(SERVER_CORE === undefined ? {} : { core: SERVER_CORE }),
    });
  for (const name of ['a', 'b'])
    backend.on(
      `/uploads/${name}.png`,
      (_req, res) => void res.writeHead(200, { 'content-type': 'image/png' }).end(PNG),
    );
  backend.on('/api/email/send', (_req, res) => void setTimeout(() => res.writeHead(500).end(), 20));
  try {
    const first = await start();
    await ask(first.url, '/uploads/a.png');
    await first.end('SIGTERM');
    await fillMedia(path.join(await backendDirOf(dataDir), 'media'), media);
    await fillOutbox(path.join(dataDir, 'outbox/waiting'), waiting);

    const site = await start();
    try {
      // Discards the longest tick of the start.
      await longestTick(site);
      // The first write makes the store count the folder.
      await ask(site.url, '/uploads/b.png');
      await delay(WATCHED_MS);
      report({
        name: `longest tick: ${waiting} waiting messages, ${media} media files`,
        value: await longestTick(site),
        unit: 'ms',
        target: { atMost: 50 },
        errors: 0,
        details: { waiting, media },
      });
    } finally {
      await site.dispose();
    }
  } finally {
    await backend.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function longestTick(site: BuiltSite): Promise<number> {
  const port = /tick probe: (\d+)/.exec(site.errors())?.[1];
  return Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
}

async function fillMedia(dir: string, count: number): Promise<void> {
  await mkdir(dir, { recursive: true });
  const contents = Buffer.alloc(1_024);
  for (let number = 0; number < count; number += 1)
    await writeFile(path.join(dir, number.toString(16).padStart(64, '0')), contents);
}

async function fillOutbox(dir: string, count: number): Promise<void> {
  await mkdir(dir, { recursive: true });
  const receivedAt = new Date().toISOString();
  for (let number = 0; number < count; number += 1) {
    const key = `message-${number}`;
    const message = { form: 'subscribe', email: `${number}@example.com` };
    await writeFile(path.join(dir, `${messageId(key)}.json`), JSON.stringify({ key, receivedAt, message }));
  }
}
