import type { ClientRequest, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { createElement } from 'react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadPages } from '../../server/loading/route-contents.ts';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { type HeldAnswer, heldAnswer } from '../support/held-answer.ts';
import { AS_BROWSER, openRequest, postJson, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const pages = await loadPages();
const SET = 'v5-as-v4';
let backend: FakeBackend;
let site: RunningSite;
let renders = 0;
let text = 'short';

beforeAll(async () => {
  backend = await startFakeBackend(SET);
});
beforeEach(async () => {
  renders = 0;
  text = 'short';
  const page = () => {
    renders += 1;
    return createElement('p', null, text);
  };
  site = await startSite({
    contentBaseUrl: backend.url,
    // One test has fifty renders in flight.
    env: { MAX_RENDERS: '100' },
    overrides: { pages: { ...pages, page } },
  });
});
afterEach(async () => {
  await site.close();
  backend.reset();
});
afterAll(() => backend.close());

/** Sends a request without waiting for its response. */
function visit(path: string, base = site.url): ClientRequest {
  const client = openRequest(base, path, { headers: AS_BROWSER });
  client.on('error', () => {});
  client.end();
  return client;
}

function hold(name: string): HeldAnswer {
  const held = heldAnswer(capture(SET, `${name}.json`));
  backend.on(`/api/${name}`, held.behaviour);
  return held;
}

const complaints = () =>
  site.log.filter(line => line.level !== 'info' && line.level !== 'debug' && line.type === undefined);

describe('a client that hangs up while the backend is slow', () => {
  it('a client that hangs up ends the backend call without a render or an error, and is logged as 499', async () => {
    const slow = hold('pages');
    const client = visit('/about');
    await eventually(() => expect(slow.waiting()).toBe(1));
    client.destroy();
    await eventually(() =>
      expect(site.requests('/about')).toMatchObject([{ status: 499, route: 'page', method: 'GET' }]),
    );
    await eventually(() => expect(slow.waiting()).toBe(0));
    expect(backend.callsTo('/api/pages')).toMatchObject([{ aborted: true }]);
    expect(renders).toBe(0);
    expect(complaints()).toEqual([]);

    slow.release();
    expect((await sendRequest(site.url, '/about')).status).toBe(200);
    expect(renders).toBeGreaterThan(0);
  });

  it('fifty clients that hang up leave no call, socket or cached content behind', async () => {
    const slow = hold('pages');
    // The start also asks for the dates of articles, and loads the newest ones.
    await eventually(() => expect(backend.callsTo('/api/articles')).toHaveLength(4));
    await site.site.settled();
    const before = { sockets: await backend.connections(), cache: site.site.content.cache.size };
    const paths = Array.from({ length: 50 }, (_, index) => `/page-${index}`);
    const clients = paths.map(path => visit(path));
    await eventually(() => expect(slow.waiting()).toBe(50));
    expect(await backend.connections()).toBeGreaterThanOrEqual(50);
    for (const client of clients) client.destroy();

    await eventually(() => expect(slow.waiting()).toBe(0));
    await eventually(async () => expect(await backend.connections()).toBeLessThanOrEqual(before.sockets));
    await eventually(() =>
      expect(paths.map(path => site.requests(path).map(line => line.status))).toEqual(paths.map(() => [499])),
    );
    expect(backend.callsTo('/api/pages').filter(call => !call.aborted)).toEqual([]);
    expect(site.site.content.cache.size).toEqual(before.cache);
    expect(renders).toBe(0);
    expect(complaints()).toEqual([]);
  });

  it('a client that hangs up does not affect another client waiting for the same content', async () => {
    const slow = hold('pages');
    const makes = vi.spyOn(site.site.pages, 'revalidate');
    const readers = () => makes.mock.calls.length;
    const leaver = visit('/about');
    await eventually(() => expect(slow.waiting()).toBe(1));
    const stayer = sendRequest(site.url, '/about', { headers: AS_BROWSER });
    await eventually(() => expect(readers()).toBe(2));
    leaver.destroy();
    await eventually(() => expect(site.requests('/about')).toMatchObject([{ status: 499 }]));
    expect(slow.waiting()).toBe(1);
    slow.release();
    expect((await stayer).status).toBe(200);
    expect(backend.callsTo('/api/pages')).toMatchObject([{ aborted: false }]);
    await eventually(() => expect(site.requests('/about')[1]).toMatchObject({ status: 200, page: 'miss' }));
  });

  it('a client that hangs up during the start does not stop the start', async () => {
    const slow = hold('settings');
    const starting = await startSite({ contentBaseUrl: backend.url, begin: false });
    try {
      const client = visit('/about', starting.url);
      await eventually(() => expect(slow.waiting()).toBe(1));
      client.destroy();
      await eventually(() => expect(starting.requests('/about')).toMatchObject([{ status: 499 }]));
      expect(slow.waiting()).toBe(1);
      slow.release();
      await eventually(() => expect(starting.site.startUp.ready).toBe(true));
      // No page is loaded for the disconnected visitor.
      expect(backend.callsTo('/api/pages')).toEqual([]);
      expect((await sendRequest(starting.url, '/about')).status).toBe(200);
    } finally {
      await starting.close();
    }
  });

  it('a client that hangs up does not stop the delivery of its accepted message', async () => {
    const slow = heldAnswer({});
    backend.on('/api/email/send', slow.behaviour);
    const client = openRequest(site.url, '/api/email/send', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    client.on('error', () => {});
    client.end(JSON.stringify({ form: 'subscribe', email: 'gone@example.com' }));
    await eventually(() => expect(slow.waiting()).toBe(1));
    client.destroy();
    slow.release();
    await eventually(() => expect(site.site.outbox.state.waiting).toBe(0));
    expect(backend.callsTo('/api/email/send').map(({ aborted }) => aborted)).toEqual([false]);
    expect(complaints()).toEqual([]);
  });

  it('a client that hangs up lets the download of a picture finish for the next client', async () => {
    const waiting: ServerResponse[] = [];
    backend.on('/uploads/slow.png', (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'image/png' });
      res.write('GIF89a first half, ');
      waiting.push(res);
    });
    const client = visit('/uploads/slow.png');
    await eventually(() => expect(waiting).toHaveLength(1));
    client.destroy();
    await eventually(() => expect(site.requests('/uploads/slow.png')).toMatchObject([{ status: 499 }]));
    waiting[0]?.end('second half');
    const answer = await sendRequest(site.url, '/uploads/slow.png');
    expect(answer.text).toBe('GIF89a first half, second half');
    expect(backend.callsTo('/uploads/slow.png')).toHaveLength(1);
    expect(complaints()).toEqual([]);
  });
});

it('a client that hangs up during its response is logged as 499, and not as an error', async () => {
  text = 'x'.repeat(20_000_000);
  const client = visit('/about');
  await new Promise<void>(resolve => {
    client.on('response', response => {
      response.on('error', () => {});
      client.destroy();
      resolve();
    });
  });
  await eventually(() => expect(site.requests('/about')).toMatchObject([{ status: 499 }]));
  expect(complaints()).toEqual([]);
  expect((await sendRequest(site.url, '/')).status).toBe(200);
});

it('a client that hangs up during its message is logged as 499, and nothing is forwarded', async () => {
  const { hostname, port } = new URL(site.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    [
      'POST /api/email/send HTTP/1.1',
      `Host: ${hostname}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
      'Expect: 100-continue',
      '',
      '',
    ].join('\r\n'),
  );
  // The answer `100 Continue` shows that the server has read the head.
  await new Promise(resolve => socket.once('data', resolve));
  await new Promise(resolve => socket.write('{"form":"subscribe","email":"ada@exam', resolve));
  socket.destroy();
  await eventually(() =>
    expect(site.requests('/api/email/send')).toMatchObject([{ status: 499, method: 'POST' }]),
  );
  expect(backend.callsTo('/api/email/send')).toEqual([]);
  expect(complaints()).toEqual([]);
  const answer = await postJson(site.url, '/api/email/send', { form: 'subscribe', email: 'ada@example.com' });
  expect(answer.status).toBe(202);
});
