import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { connectionLimit } from '../../server/http/limits/connection-limit.ts';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

/** Open files allowed to the process, connections included. */
const OPEN_FILES = 200;

let site: BuiltSite | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await site?.dispose();
});

it('a process without free file descriptors still answers its operators, and visitors once connections are idle', async () => {
  site = await startBuiltSite({ openFiles: OPEN_FILES, env: { CONTENT_TTL_MS: '86400000' } });
  const { url, opsUrl } = site;
  const refused = () => site?.metric('site_connections_refused_total');
  const limit = connectionLimit(OPEN_FILES);
  const { port } = new URL(url);
  for (let n = 0; n < OPEN_FILES + 50; n += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /about HTTP/1.1\r\nHost: localhost\r\n');
    sockets.push(socket);
  }
  await eventually(async () => expect(await refused()).toBe(OPEN_FILES + 50 - limit));
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect((await sendRequest(opsUrl, path)).status).toBe(200);
  expect(site.lines().filter(({ code }) => code === 'http-connections-refused')).toEqual([
    expect.objectContaining({ level: 'warn', max: limit }),
  ]);
  // The requests end, and their connections become idle. New connections replace idle ones.
  for (const socket of sockets) socket.write('\r\n');
  await eventually(async () =>
    expect((await sendRequest(url, '/about', { headers: AS_BROWSER })).status).toBe(200),
  );
});

it.each([
  [64, 32],
  [200, 100],
  [256, 128],
  [1_024, 832],
  [1_048_576, 10_000],
  [null, 10_000],
])('%j open files allow %i connections', (openFiles, connections) => {
  expect(connectionLimit(openFiles)).toBe(connections);
});
