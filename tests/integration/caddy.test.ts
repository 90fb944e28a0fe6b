import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { describe, expect, test } from 'vitest';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { engineFor } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { startFakeBackend } from '../support/fake-backend.ts';
import { freePort } from '../support/free-port.ts';
import { startCaddy } from '../support/front-server.ts';
import { patient } from '../support/patience.ts';

/** Two sites behind Caddy. A site that drains still answers, and says at `/readyz` that it is not ready. */
const it = test.extend('stage', async ({ skip }, { onCleanup }) => {
  const engine = engineFor('caddy', { skip });
  const closing: (() => Promise<void>)[] = [];
  onCleanup(async () => {
    for (const close of closing.reverse()) await close();
  });
  const backend = await startFakeBackend();
  closing.push(() => backend.close());
  const ports = [await freePort(), await freePort()];
  const front = await startCaddy(
    engine,
    ports.map(port => `http://127.0.0.1:${port}`),
  );
  closing.push(front.dispose);
  const sites: BuiltSite[] = [];
  for (const [index, port] of ports.entries()) {
    const env = {
      ...{ PORT: String(port), REPLICA_ID: `replica-${index}`, SHUTDOWN_DELAY_MS: '60000' },
      ...{ PUBLIC_URL: front.url, TRUST_PROXY: 'loopback' },
    };
    const site = await startBuiltSite({ contentBaseUrl: backend.url, env });
    closing.push(site.dispose);
    sites.push(site);
  }
  await eventually(async () => expect((await ask(front.url)).statusCode).toBe(200));
  return { front, sites };
});

/** Asks for a page over TLS, whatever the certificate's authority. */
function ask(base: string, method = 'GET', path = '/about', body = ''): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/html', ...(body ? { 'content-type': 'application/json' } : {}) };
    const sent = request(
      base + path,
      { method, headers, rejectUnauthorized: false, agent: false },
      answer => {
        answer.resume().once('end', () => resolve(answer));
      },
    );
    sent.once('error', reject).end(body);
  });
}

describe('Caddy with deploy/Caddyfile', () => {
  it('ends TLS, offers HTTP/3 and asks replicas that are ready', { timeout: patient(60_000) }, async ({
    stage,
  }) => {
    const { front, sites } = stage;
    const page = await ask(front.url);
    expect(page.headers['alt-svc']).toMatch(/^h3=":\d+"/);
    expect(page.headers['surrogate-key']).toBeUndefined();
    // Caddy listens for QUIC on the same port.
    const sockets = await Promise.all(
      ['/proc/net/udp', '/proc/net/udp6'].map(file => readFile(file, 'utf8')),
    );
    expect(sockets.join('')).toContain(`:${front.port.toString(16).toUpperCase().padStart(4, '0')} `);

    const replicaOf = ({ headers }: IncomingMessage) =>
      /site\/(replica-\d)/.exec(String(headers['cache-status']))?.[1];
    const seen = new Set<string | undefined>();
    await eventually(async () => {
      seen.add(replicaOf(await ask(front.url)));
      expect(seen.size).toBe(2);
    });
    // The first replica drains: it answers, and gets no more requests.
    sites[0]?.child.kill('SIGTERM');
    await eventually(async () => {
      for (let index = 0; index < 10; index += 1) expect(replicaOf(await ask(front.url))).toBe('replica-1');
    });
    const message = JSON.stringify({ form: 'subscribe', email: 'a@example.com', page: '/' });
    sites[0]?.child.kill('SIGKILL');
    for (let post = 0; post < 4; post += 1)
      expect((await ask(front.url, 'POST', '/api/email/send', message)).statusCode).toBe(202);
  });
});
