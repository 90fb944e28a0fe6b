import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startCaddy } from '../support/front-server.ts';
import { frontTest, visit } from '../support/front-test.ts';
import { patient } from '../support/patience.ts';
import { type Answer, postJson } from '../support/send-request.ts';
import { addSimilarPages, expectOwnPages } from '../support/similar-addresses.ts';
import { expectNoLongWaits, expectPatience } from '../support/visits-of-a-hung-replica.ts';

const LONG = { timeout: patient(60_000) };

/** Two sites behind Caddy. A draining site still answers, and says at `/readyz` that it is not ready. */
const it = frontTest('caddy', {
  start: startCaddy,
  env: (_front, index) => ({ REPLICA_ID: `replica-${index}`, SHUTDOWN_DELAY_MS: '60000' }),
  sites: 2,
  edit: addSimilarPages,
});

const itWithThree = frontTest('caddy', { start: startCaddy, sites: 3 });

describe('Caddy with deploy/Caddyfile', () => {
  it('Caddy ends TLS, offers HTTP/3, and asks only ready replicas', LONG, async ({ stage }) => {
    const { front, sites } = stage;
    const page = await visit(front.url, '/about', { 'x-request-id': 'forged' });
    expect(page.headers['x-request-id']).toMatch(/^[\w-]{12}-\d+$/);
    expect(page.headers['alt-svc']).toMatch(/^h3=":\d+"/);
    expect(page.headers['surrogate-key']).toBeUndefined();
    // Caddy listens for QUIC on the same port.
    const sockets = await Promise.all(
      ['/proc/net/udp', '/proc/net/udp6'].map(file => readFile(file, 'utf8')),
    );
    expect(sockets.join('')).toContain(`:${front.port.toString(16).toUpperCase().padStart(4, '0')} `);

    const replicaOf = ({ headers }: Answer) =>
      /site\/(replica-\d)/.exec(String(headers['cache-status']))?.[1];
    const seen = new Set<string | undefined>();
    await eventually(async () => {
      seen.add(replicaOf(await visit(front.url, '/about')));
      expect(seen.size).toBe(2);
    });
    // The first replica drains: it still answers open requests, and gets no new ones.
    sites[0]?.child.kill('SIGTERM');
    await eventually(async () => {
      for (let index = 0; index < 10; index += 1)
        expect(replicaOf(await visit(front.url, '/about'))).toBe('replica-1');
    });
    const message = { form: 'subscribe', email: 'a@example.com', page: '/' };
    const first = sites[0]?.child;
    // Once the process has ended, the system refuses connections. A request accepted before that is a 502.
    const ended = first?.exitCode === null ? once(first, 'exit') : null;
    first?.kill('SIGKILL');
    await ended;
    for (let post = 0; post < 4; post += 1)
      expect((await postJson(front.url, '/api/email/send', message)).status).toBe(202);
  });

  itWithThree('Caddy makes no visitor wait long for a hung replica', LONG, ({ stage }) =>
    expectNoLongWaits(stage),
  );

  itWithThree('Caddy waits for a page that a slow CMS delays', LONG, ({ stage }) => expectPatience(stage));

  it('Caddy distinguishes pages whose addresses end in br or gzip', LONG, async ({ stage }) => {
    const { front, sites } = stage;
    await expectOwnPages(
      (path, headers) => visit(front.url, path, headers),
      (path, headers) => visit(sites[0]?.url ?? '', path, headers),
    );
  });
});
