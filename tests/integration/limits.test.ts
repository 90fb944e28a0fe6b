import { toString as textOf } from 'hast-util-to-string';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { parsePage } from '../support/parse-page.ts';
import { openRaw, type RawConnection, sendRaw } from '../support/raw-connection.ts';
import { type Answer, AS_BROWSER, postForm, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

/** Time limits short enough for a test, and long enough for responses of a busy machine. */
const LIMITS = { receiveMs: 1_500, stalledMs: 3_000 };

let backend: FakeBackend;
let site: RunningSite;
beforeAll(async () => {
  backend = await startFakeBackend();
  site = await startSite({ contentBaseUrl: backend.url, limits: LIMITS });
});
afterAll(async () => {
  await site.close();
  await backend.close();
});

const get = (path: string, to: RunningSite = site) => sendRequest(to.url, path, { headers: AS_BROWSER });
const head = (text: string) => `${text}\r\nHost: 127.0.0.1\r\n`;

describe('headers', () => {
  const withHeaders = (bytes: number) =>
    sendRaw(
      site.url,
      `${head('GET /about HTTP/1.1')}Connection: close\r\nX-Filler: ${'x'.repeat(bytes)}\r\n\r\n`,
    );

  it('headers below 16 KiB are accepted, and larger ones are a 431', async () => {
    expect((await withHeaders(16 * 1024 - 200)).statuses()).toEqual([200]);
    expect((await withHeaders(16 * 1024)).statuses()).toEqual([431]);
    expect((await withHeaders(1_000)).statuses()).toEqual([200]);
  });

  it('too many headers are a 431', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `a${index}: b\r\n`).join('');
    expect((await sendRaw(site.url, `${head('GET /about HTTP/1.1')}${many}\r\n`)).statuses()).toEqual([431]);
  });
});

describe('a body', () => {
  const post = (path: string, bytes: number, type = 'application/json') =>
    sendRequest(site.url, path, {
      method: 'POST',
      headers: { 'content-type': type, accept: 'application/json' },
      body: type.endsWith('json') ? JSON.stringify('x'.repeat(bytes - 2)) : `a=${'x'.repeat(bytes - 2)}`,
    });

  const start = `${head('POST /api/email/send HTTP/1.1')}Content-Type: application/json\r\n`;

  /** Sends 16 KiB more of a body. @returns the error of a reset connection. */
  function sendMore({ socket }: RawConnection, chunks: string): Promise<Error | null | undefined> {
    const spaces = ' '.repeat(0x4000);
    const more = chunks === '' ? spaces : `4000\r\n${spaces}\r\n`;
    return new Promise(resolve => socket.write(more, error => setImmediate(resolve, error)));
  }

  it.each([
    ['/api/email/send', 'application/json', 64 * 1024],
    ['/api/email/send', 'application/x-www-form-urlencoded', 64 * 1024],
    ['/client-errors', 'application/json', 4 * 1024],
    ['/csp-reports', 'application/csp-report', 16 * 1024],
  ])('a body for %s as %s may have %i bytes, and a larger one is a 413', async (path, type, bytes) => {
    expect((await post(path, bytes, type)).status).not.toBe(413);
    expect((await post(path, bytes + 1, type)).status).toBe(413);
    expect((await post(path, 10, type)).status).not.toBe(413);
  });

  it('a compressed body is refused, because its decompressed size is unknown', async () => {
    const { gzipSync } = await import('node:zlib');
    const bomb = gzipSync(Buffer.alloc(10_000_000, 0x20));
    const raw = await openRaw(
      site.url,
      `${start}Content-Encoding: gzip\r\nContent-Length: ${bomb.byteLength}\r\n\r\n`,
    );
    raw.socket.write(bomb);
    expect(await raw.answers(1)).toEqual([415]);
    raw.socket.destroy();
  });

  describe.each([
    ['with a Content-Length', `${start}Content-Length: 10000000\r\n\r\n`, ''],
    [
      'in chunks',
      `${start}Transfer-Encoding: chunked\r\n\r\n`,
      `10000\r\n${' '.repeat(0x10000)}\r\n1\r\n \r\n`,
    ],
  ])('a body that is too long, %s', (_what, headers, tooMuch) => {
    it('a too long body is a 413 as soon as its length is known, and the connection ends', async () => {
      const raw = await sendRaw(site.url, headers + tooMuch);
      expect(raw.statuses()).toEqual([413]);
      expect(raw.received()).toMatch(/^Connection: close\r$/m);
    });

    it('a client that still sends a too long body gets the 413, and no reset that loses it', async () => {
      const raw = await openRaw(site.url, headers + tooMuch, { allowHalfOpen: true });
      expect(await raw.answers(1)).toEqual([413]);
      for (let time = 0; time < 20; time += 1) expect(await sendMore(raw, tooMuch)).toBeFalsy();
      raw.socket.destroy();
    });

    it('an endless body is a 413, and the connection closes', async () => {
      const raw = await openRaw(site.url, headers + tooMuch, { allowHalfOpen: true });
      while (!raw.socket.destroyed) await sendMore(raw, tooMuch);
      expect(raw.statuses()).toEqual([413]);
    });
  });

  it('a body that is too long does not affect the next request', async () => {
    expect((await post('/api/email/send', 1_000_000)).status).toBe(413);
    expect((await post('/api/email/send', 10)).status).toBe(400);
  });
});

/** Points at which a client stops, each with the bytes sent before. */
const STALLED: readonly (readonly [moment: string, sent: string])[] = [
  ['to send anything', ''],
  ['in the middle of a line', 'GET /ab'],
  ['in the middle of its headers', `${head('GET /about HTTP/1.1')}X-Slow:`],
  [
    'in the middle of its body',
    `${head('POST /api/email/send HTTP/1.1')}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
  ],
  [
    'in the middle of a chunk',
    `${head('POST /api/email/send HTTP/1.1')}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{`,
  ],
];

describe('a client that is slow', () => {
  it('a client that sends nothing, or stops within a request, is cut off', async () => {
    const ends = STALLED.map(async ([moment, text]) => {
      const raw = await sendRaw(site.url, text);
      expect([moment, ...raw.statuses().filter(status => status !== 408)]).toEqual([moment]);
    });
    await Promise.all(ends);
  });

  it('a client that sends its headers a few bytes at a time is cut off', async () => {
    const raw = await openRaw(site.url, head('GET /about HTTP/1.1'));
    const drip = setInterval(() => raw.socket.write('x: y\r\n'), 100);
    await raw.closed();
    clearInterval(drip);
    expect(raw.statuses().filter(status => status !== 408)).toEqual([]);
  });

  it('a client that reads its responses too slowly is cut off', async () => {
    const raw = await openRaw(site.url);
    raw.socket.pause();
    // More bytes than all buffers between server and client hold.
    raw.socket.write(`${head('GET / HTTP/1.1')}Accept-Encoding: identity\r\n\r\n`.repeat(400));
    await eventually(async () => {
      const open = await sendRequest(site.opsUrl, '/healthz');
      expect(open.status).toBe(200);
      expect(site.requests('/').some(({ status }) => status === 499)).toBe(true);
    });
    raw.socket.destroy();
  });

  it('a slow client does not delay other clients', async () => {
    await get('/about');
    const slow: RawConnection[] = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        openRaw(site.url, ['', 'GET /ab', `${head('GET /about HTTP/1.1')}X-Slow:`][index % 3]),
      ),
    );
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/about')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(slow.map(connection => connection.closed()));
    expect((await get('/about')).status).toBe(200);
  });
});

describe('the response to a form submission', () => {
  const typed = {
    form: 'contact',
    name: 'Ada "the first"',
    email: 'nobody',
    message: '\nTwo lines\n</textarea>',
    page: '/',
  };
  const valuesIn = ({ text }: Answer) => {
    const { all } = parsePage(text);
    const inputs = all('input').map(({ properties }) => [properties.name, properties.value]);
    // Fields of the first form win. The subscribe form, if the page has it, is the last.
    return Object.fromEntries([
      ...inputs.toReversed(),
      ...all('textarea').map(area => ['message', textOf(area)]),
    ]);
  };

  it('responses to form submissions have separate render slots, and contain the typed text', async () => {
    const busy = await startSite({
      contentBaseUrl: backend.url,
      env: { MAX_RENDERS: '1', CONTENT_TIMEOUT_MS: '20000' },
    });
    const held = heldAnswer({ data: [], meta: {} });
    expect((await get('/', busy)).status).toBe(200);
    backend.on('/api/commerces', held.behaviour);
    const waiting = get('/commerce/page', busy);
    await eventually(() => expect(held.waiting()).toBe(1));
    const queued = get('/terms', busy);
    await eventually(() => expect(busy.site.renderQueue.work.waiting).toBe(1));
    const answer = await postForm(busy.url, '/api/email/send', typed);
    expect(answer.status).toBe(422);
    expect(parsePage(answer.text).hasShell).toBe(true);
    expect(valuesIn(answer)).toMatchObject(typed);
    held.release();
    await Promise.all([waiting, queued]);
    backend.reset();
    await busy.close();
  });

  it('a late form submission, or one without a free render slot, gets a bare form with the typed text', async () => {
    const hurried = await startSite({
      contentBaseUrl: backend.url,
      env: { MAX_RENDERS: '1', CONTENT_TIMEOUT_MS: '20000', FORM_RATE_LIMIT: '7' },
      overrides: { requestDeadlineMs: 1_000 },
    });
    const held = heldAnswer({ data: [], meta: {} });
    backend.on('/api/commerces', held.behaviour);
    const stuck = { ...typed, page: '/commerce/page' };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => postForm(hurried.url, '/api/email/send', { ...stuck, website: 'x' })),
    );
    for (const answer of answers) {
      expect([answer.status, answer.headers['cache-control']]).toEqual([422, 'no-store']);
      expect(valuesIn(answer)).toEqual({ ...stuck, website: '', company: '', topic: '' });
      const { main, inline } = parsePage(answer.text);
      expect(main).toContain('Please enter a complete e-mail address');
      expect(main).toContain('This must stay empty');
      expect(inline).toEqual([]);
    }
    // A valid message is accepted without rendering a page.
    const right = await postForm(hurried.url, '/api/email/send', { ...stuck, email: 'ada@example.com' });
    expect(right.status).toBe(303);
    const limited = await postForm(hurried.url, '/api/email/send', stuck);
    expect([limited.status, valuesIn(limited).name]).toEqual([429, typed.name]);
    held.release();
    backend.reset();
    await hurried.close();
  });
});

describe('a request', () => {
  it('a request past its deadline gets a 503, and its work is cancelled', async () => {
    const hurried = await startSite({
      contentBaseUrl: backend.url,
      env: { CONTENT_TIMEOUT_MS: '20000' },
      // Long enough for a render on a busy machine.
      overrides: { requestDeadlineMs: 2_000 },
    });
    const held = heldAnswer({ data: [], meta: {} });
    backend.on('/api/commerces', held.behaviour);
    const answer = await get('/commerce/slow', hurried);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(answer.text).toContain('takes too long');
    await eventually(() => expect(backend.callsTo('/api/commerces').at(-1)?.aborted).toBe(true));
    expect(hurried.requests('/commerce/slow').map(({ status }) => status)).toEqual([503]);
    held.release();
    backend.reset();
    expect((await get('/terms', hurried)).status).toBe(200);
    await hurried.close();
  });
});
