import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { type FrontServer, startCaddy, startNginx } from '../support/front-server.ts';
import { type FrontStage, frontTest } from '../support/front-test.ts';
import { patient } from '../support/patience.ts';
import { PREVIEW_ENV } from '../support/preview-test.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const LONG = { timeout: patient(60_000) };
/** Address of the visitor. The replicas have 127.0.0.1. */
const VISITOR = '127.0.0.2';
const SECRETS = ['a-secret-that-nobody-logs', 'a-token-of-ten-years', 'sensitive-words', VISITOR];
const ADDRESSES = [
  '/api/preview?secret=a-secret-that-nobody-logs&url=/about&status=draft',
  '/subscribe/leave?token=a-token-of-ten-years',
  '/search?q=sensitive-words',
];

const withNginx = frontTest('nginx', { start: startNginx, env: () => PREVIEW_ENV, sites: 2 });

const visit = (front: FrontServer, address: string) =>
  sendRequest(front.url, address, { headers: AS_BROWSER, localAddress: VISITOR });

const withCaddy = frontTest('caddy', { start: startCaddy, env: () => PREVIEW_ENV, sites: 2 });

/** Requests each address at each replica, one of which hangs. */
async function visitHung({ front, sites }: FrontStage): Promise<void> {
  sites[0]?.child.kill('SIGSTOP');
  for (let time = 0; time < 3; time += 1) for (const address of ADDRESSES) await visit(front, address);
}

/** @returns the text of all files that a proxy has written, and of its output. */
async function written({ folder, output }: FrontServer): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter(file => file.isFile())
    .map(file => readFile(path.join(file.parentPath, file.name), 'latin1'));
  return [output(), ...(await Promise.all(texts))].join('\n');
}

describe('nginx with deploy/nginx.conf', () => {
  withNginx('nginx logs no query or visitor address, even of failures', LONG, async ({ stage }) => {
    const { front } = stage;
    await visitHung(stage);
    const text = await written(front);
    for (const address of ADDRESSES)
      expect(text).toMatch(new RegExp(` GET \\S+ ${address.split('?', 1)[0]} `));
    for (const secret of SECRETS) expect(text).not.toContain(secret);

    // A page that nginx cannot store is a critical error, which nginx logs with visitor and address.
    await rm(path.join(front.folder, 'cache'), { recursive: true });
    await writeFile(path.join(front.folder, 'cache'), '');
    await expect(visit(front, '/about?from=sensitive-words')).rejects.toThrow(/socket hang up|aborted/);
    for (const secret of SECRETS) expect(await written(front)).not.toContain(secret);
  });
});

describe('Caddy with deploy/Caddyfile', () => {
  withCaddy('Caddy logs no query or visitor address, even of failures', LONG, async ({ stage }) => {
    const { front, sites } = stage;
    await visitHung(stage);
    // The second replica hangs, too, so that none answers.
    sites[1]?.child.kill('SIGSTOP');
    expect((await visit(front, ADDRESSES[0] ?? '')).status).toBeGreaterThan(500);
    for (const secret of SECRETS) expect(await written(front)).not.toContain(secret);
  });
});
