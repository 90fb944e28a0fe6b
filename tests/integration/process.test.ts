import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { some } from '../support/in-full.ts';
import { close, listen } from '../support/listen.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, postJson, sendRequest } from '../support/send-request.ts';
import type { LogLine } from '../support/start-site.ts';

const FAST_CLOCK = ['--import', path.resolve(import.meta.dirname, '../faults/fast-clock.ts')];
const MAIN = path.resolve(import.meta.dirname, '../../dist/server/main.js');

let dataDir: string;
let backend: FakeBackend;
const children: ChildProcess[] = [];

beforeAll(async () => {
  backend = await startFakeBackend();
});
beforeEach(async () => {
  backend.reset();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'process-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});
afterAll(() => backend.close());

interface Process {
  child: ChildProcess;
  out(): string;
  err(): string;
  /** The JSON lines of standard output. */
  lines(): LogLine[];
  /** @returns the exit code, or the signal that ended the process. */
  exit(): Promise<{ code: number | null; signal: string | null }>;
}

/** Runs the built server with this environment, and no other variables of the site. */
function run(env: Record<string, string> = {}, nodeArguments: readonly string[] = []): Process {
  const child = spawn(process.execPath, [...nodeArguments, MAIN], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, PORT: '0', OPS_PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let out = '';
  let err = '';
  child.stdout?.on('data', chunk => {
    out += chunk;
  });
  child.stderr?.on('data', chunk => {
    err += chunk;
  });
  // `close` follows the last output. `exit` may come earlier.
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  return {
    child,
    out: () => out,
    err: () => err,
    lines: () =>
      out
        .split('\n')
        .filter(line => line.startsWith('{'))
        .map(line => JSON.parse(line) as LogLine),
    async exit() {
      const [code, signal] = await ended;
      return { code, signal };
    },
  };
}

interface Addresses {
  url: string;
  opsUrl: string;
}

/** Resolves when the process listens and can answer. */
async function ready(running: Process): Promise<Addresses> {
  const line = await eventually(() => {
    expect(running.child.exitCode).toBeNull();
    const listening = running.lines().find(({ code }) => code === 'start-listening');
    if (!listening) throw new Error(`The server does not listen: ${running.out()} ${running.err()}`);
    return listening as LogLine & Record<'site' | 'ops', { port: number }>;
  });
  const opsUrl = `http://127.0.0.1:${line.ops.port}`;
  await eventually(async () => expect((await sendRequest(opsUrl, '/readyz')).status).toBe(200));
  return { url: `http://127.0.0.1:${line.site.port}`, opsUrl };
}

/** Opens a connection, reads one response, and keeps the connection open. */
async function idleConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`GET /builds/latest.json HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 200/);
  return socket;
}

/** Sends another request on an open connection, and reads until the server closes it. */
async function nextAnswer(socket: Socket, address: string): Promise<string> {
  let received = '';
  socket.on('data', chunk => {
    received += chunk;
  });
  socket.write(`GET ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n`);
  await once(socket, 'close');
  return received;
}

describe('the built server', () => {
  it('the built server starts unconfigured, prints its address and serves the sample content', async () => {
    // An empty DATA_DIR means the default, a relative path. Pictures must work from there, too.
    const running = run({ DATA_DIR: '', CONTENT_DIR: FIXTURE_CONTENT });
    const { url } = await ready(running);
    // No program sends the e-mails that the sample's pages promise, so the log names the folder.
    expect(running.out()).toContain('"code":"start-mail-folder"');
    const { port } = new URL(url);
    expect(running.out()).toContain(`The site is at http://localhost:${port}\n`);
    const answer = await sendRequest(url, '/', { headers: AS_BROWSER });
    expect(answer.status).toBe(200);
    const page = parsePage(answer.text);
    expect(page.title).toContain('Acme');
    expect(page.headings).toHaveLength(1);
    // A browser sends no part after the #, which selects a picture within a file.
    const [picture = ''] = String(page.all('img')[0]?.properties.src).split('#');
    expect((await sendRequest(url, picture)).status).toBe(200);

    const message = { form: 'contact', name: 'Ada', email: 'ada@example.com', message: 'Hello.' };
    expect((await postJson(url, '/api/email/send', message)).status).toBe(202);
    await eventually(async () =>
      expect(await readdir(path.join(dataDir, 'data', 'mail')).catch(() => [])).toHaveLength(1),
    );
    expect(running.err()).toBe('');
  });

  it('the built server writes one line of JSON for each request', async () => {
    const running = run({ CONTENT_BASE_URL: backend.url });
    const { url } = await ready(running);
    const answers = [
      await sendRequest(url, '/about?token=secret', { headers: AS_BROWSER }),
      await sendRequest(url, '/no/such', { headers: AS_BROWSER }),
      await sendRequest(url, '/old-about'),
      await sendRequest(url, '/favicon.svg'),
      await sendRequest(url, '/about', { method: 'HEAD', headers: { 'user-agent': 'Googlebot/2.1' } }),
    ];
    const requests = await eventually(() => {
      const lines = running.lines().filter(({ code }) => code === 'http-request');
      expect(lines).toHaveLength(answers.length);
      return lines;
    });
    expect(requests).toMatchObject([
      { level: 'info', method: 'GET', path: '/about', route: 'page', status: 200, client: 'program' },
      { method: 'GET', path: '/no/such', route: null, status: 404 },
      { method: 'GET', path: '/old-about', route: null, status: 301 },
      { method: 'GET', path: '/favicon.svg', route: 'asset', status: 200, cache: {} },
      { method: 'HEAD', path: '/about', route: 'page', status: 200, client: 'crawler' },
    ]);
    for (const [index, line] of requests.entries()) {
      expect(line.id).toBe(answers[index]?.headers['x-request-id']);
      expect(line.ms).toEqual(expect.any(Number));
      expect([line.path, line.bytes]).toEqual([line.path, answers[index]?.body.length]);
      expect(Date.parse(String(line.time))).toBeGreaterThan(0);
    }
    expect(requests[0]?.cache).toMatchObject({ hit: expect.any(Number), miss: expect.any(Number) });
    // A query may hold private data, so it is not logged. Every line after the greeting is JSON.
    expect(running.out()).not.toContain('secret');
    const others = running
      .out()
      .split('\n')
      .filter(line => line.trim() !== '' && !line.startsWith('{'));
    expect(others).toEqual([expect.stringMatching(/^ {2}The site is at http:\/\/localhost:\d+$/)]);
  });

  it('with NODE_ENV=production the built server serves the sample, and writes only JSON', async () => {
    const running = run({ NODE_ENV: 'production', CONTENT_DIR: FIXTURE_CONTENT, PUBLIC_URL: 'any' });
    const { url } = await ready(running);
    expect((await sendRequest(url, '/blog', { headers: AS_BROWSER })).status).toBe(200);
    await eventually(() => expect(running.lines().map(({ code }) => code)).toContain('content-loaded'));
    const lines = running.out().trimEnd().split('\n');
    expect(lines.filter(line => !line.startsWith('{'))).toEqual([]);
  });

  it('the built server identifies itself to the backend, and sends nothing about visitors', async () => {
    const running = run({
      CONTENT_BASE_URL: `${backend.url}/api/`,
      CONTENT_TOKEN: 'token-of-the-site',
      CONTENT_HEADERS: '{"X-Site":"corridor"}',
    });
    const { url } = await ready(running);
    const visitor = {
      cookie: 'session=of-the-visitor',
      authorization: 'Bearer of-the-visitor',
      'x-forwarded-for': '192.0.2.7',
      'user-agent': 'Visitor/1.0',
      referer: 'https://visitor.example/',
      'accept-language': 'de',
    };
    backend.on(
      '/uploads/a.png',
      (_req, res) => void res.writeHead(200, { 'Content-Type': 'image/png' }).end('GIF89a'),
    );
    for (const address of [
      '/about',
      '/blog',
      '/blog/guides',
      '/about/_payload.json',
      '/sitemap.xml',
      '/uploads/a.png',
    ])
      expect([address, (await sendRequest(url, address, { headers: visitor })).status]).toEqual([
        address,
        200,
      ]);
    const posted = await sendRequest(url, '/api/email/send', {
      method: 'POST',
      headers: { ...visitor, 'content-type': 'application/json' },
      body: '{"form":"subscribe","email":"ada@example.com"}',
    });
    expect(posted.status).toBe(202);

    expect(backend.calls.length).toBeGreaterThan(10);
    for (const { headers, url: called } of backend.calls) {
      expect([called, headers.authorization, headers['x-site']]).toEqual([
        called,
        'Bearer token-of-the-site',
        'corridor',
      ]);
      expect(headers.cookie).toBeUndefined();
      expect(JSON.stringify(headers)).not.toMatch(/visitor|192\.0\.2\.7/i);
    }
    expect(running.out() + running.err()).not.toMatch(/token-of-the-site|of-the-visitor|ada@example\.com/);
  });
});

/** Environments that prevent the start, each with the variables that the error names. */
const INVALID: readonly (readonly [env: Record<string, string>, variables: readonly string[]])[] = [
  [{ CONTENT_TOKEN: 'secret-token' }, ['CONTENT_BASE_URL']],
  [{ PORT: 'abc' }, ['PORT']],
  [{ PORT: '70000' }, ['PORT']],
  [{ CONTENT_BASE_URL: 'ftp://example.com' }, ['CONTENT_BASE_URL']],
  [{ TRUST_PROXY: '1' }, ['PUBLIC_URL']],
  [
    { LOG_LEVEL: 'loud', CONTENT_TIMEOUT_MS: '-1', SITE_INDEXING: 'maybe' },
    ['LOG_LEVEL', 'CONTENT_TIMEOUT_MS', 'SITE_INDEXING'],
  ],
];

describe('an invalid configuration', () => {
  it.each(some(INVALID, 3))(
    'an invalid configuration exits with 1, names its variables and opens no port: %o',
    async (env, variables) => {
      const running = run(env);
      expect(await running.exit()).toMatchObject({ code: 1, signal: null });
      for (const variable of variables)
        expect(running.err()).toMatch(new RegExp(`^ {2}${variable}: wants`, 'm'));
      expect(running.err() + running.out()).not.toMatch(/\n\s+at |secret-token/);
      expect(running.lines()).toMatchObject([{ code: 'start-config-invalid', remedy: expect.any(String) }]);
      expect(running.out()).toContain(`${variables[0]}: wants`);
    },
  );

  it('an invalid configuration in production shows the lines to add', async () => {
    const refused = run({ NODE_ENV: 'production' });
    expect((await refused.exit()).code).toBe(1);
    expect(refused.err()).toContain('Set CONTENT_BASE_URL=https://cms.example.com, or CONTENT=embedded');
    expect(refused.err()).toContain('Set PUBLIC_URL=https://www.example.com, or PUBLIC_URL=any');
  });

  it.each(some(['PORT', 'OPS_PORT'], 1))(
    'a process whose port %s is taken exits with 1, and prints one line with the remedy',
    async variable => {
      const other = createServer();
      const taken = new URL(await listen(other)).port;
      try {
        const running = run({ [variable]: taken });
        expect(await running.exit()).toMatchObject({ code: 1 });
        expect(running.lines()).toContainEqual(
          expect.objectContaining({
            level: 'fatal',
            msg: `${variable}: another process has port ${taken} of 127.0.0.1. End it, or set ${variable} to a free port.`,
          }),
        );
        expect(running.lines().filter(({ level }) => level === 'fatal')).toHaveLength(1);
        expect(running.out() + running.err()).not.toContain('EADDRINUSE');
        expect(running.out()).not.toContain('The site is at');
      } finally {
        await close(other);
      }
    },
  );
});

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

// The short form tests each signal in one test.
describe('a signal', () => {
  it.each(some(SIGNALS, 1))(
    '%s finishes open requests, refuses new ones, closes idle connections and exits with 0',
    async signal => {
      const running = run({ CONTENT_BASE_URL: backend.url });
      const { url, opsUrl } = await ready(running);
      const slow = heldAnswer(capture('v5-as-v4', 'pages.json'));
      backend.on('/api/pages', slow.behaviour);
      const idle = await idleConnection(url);
      const kept = await idleConnection(url);
      const underWay = nextAnswer(kept, '/about');
      await eventually(() => expect(slow.waiting()).toBe(1));

      const idleEnded = once(idle, 'close');
      running.child.kill(signal);
      await idleEnded;
      await eventually(async () => {
        const answer = await sendRequest(opsUrl, '/readyz');
        expect([answer.status, answer.json()]).toMatchObject([503, { status: 'draining' }]);
      });
      expect((await sendRequest(opsUrl, '/healthz')).status).toBe(200);
      await expect(sendRequest(url, '/blog')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      expect(running.child.exitCode).toBeNull();

      slow.release();
      const exit = running.exit();
      const answer = await underWay;
      expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n.*<\/html>/s);
      expect((await exit).code).toBe(0);
      expect(running.lines().map(({ code }) => code)).toEqual(
        expect.arrayContaining(['stop-draining', 'http-request', 'stop-done']),
      );
      expect(running.lines().filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
      expect(running.err()).toBe('');
    },
  );

  it.each(some(SIGNALS.toReversed(), 1))('%s also ends a process with the embedded backend', async signal => {
    const running = run({ CONTENT_DIR: FIXTURE_CONTENT });
    const { url } = await ready(running);
    expect((await sendRequest(url, '/blog')).status).toBe(200);
    const exit = running.exit();
    running.child.kill(signal);
    expect((await exit).code).toBe(0);
  });
});

it('a request that does not end is cut off at the drain limit', async () => {
  const env = { CONTENT_BASE_URL: backend.url, CONTENT_TIMEOUT_MS: '60000', CLOCK_RATE: '4' };
  const running = run(env, FAST_CLOCK);
  const { url } = await ready(running);
  const stuck = heldAnswer({});
  backend.on('/api/pages', stuck.behaviour);
  const underWay = expect(sendRequest(url, '/about')).rejects.toMatchObject({ code: 'ECONNRESET' });
  await eventually(() => expect(stuck.asked).toContainEqual(expect.stringContaining('about')));
  const exit = running.exit();
  running.child.kill('SIGTERM');
  await underWay;
  expect((await exit).code).toBe(0);
  expect(stuck.waiting()).toBe(0);
  expect(running.lines().map(({ code }) => code)).toContain('stop-drain-limit');
  expect(running.lines()).toContainEqual(
    expect.objectContaining({ code: 'http-request', path: '/about', status: 499 }),
  );
});

it('a process without a reachable backend stays alive, is not ready, and ends by SIGTERM', async () => {
  const gone = createServer();
  const address = await listen(gone);
  await close(gone);
  const running = run({ CONTENT_BASE_URL: address });
  const line = await eventually(() => {
    const found = running.lines().find(({ code }) => code === 'content-start-failed');
    if (!found) throw new Error('no attempt has failed yet');
    return found;
  });
  expect(line).toMatchObject({ level: 'error', reason: expect.stringContaining('ECONNREFUSED') });
  const listening = running.lines().find(({ code }) => code === 'start-listening') as LogLine &
    Record<'site' | 'ops', { port: number }>;
  const opsUrl = `http://127.0.0.1:${listening.ops.port}`;
  expect((await sendRequest(opsUrl, '/healthz')).status).toBe(200);
  expect((await sendRequest(opsUrl, '/readyz')).status).toBe(503);
  expect(
    (await sendRequest(`http://127.0.0.1:${listening.site.port}`, '/', { headers: AS_BROWSER })).status,
  ).toBe(503);
  running.child.kill('SIGTERM');
  expect(await running.exit()).toMatchObject({ code: 0 });
});
