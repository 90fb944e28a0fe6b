import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { editor } from '../support/preview-test.ts';
import { type Answer, AS_BROWSER, postForm, postJson, sendRequest } from '../support/send-request.ts';
import { DIST_DIR, type RunningSite, startSite } from '../support/start-site.ts';

const SECRETS = {
  CONTENT_TOKEN: 'token-cd5e1a9b7f',
  CONTENT_HEADERS: '{"X-Edge-Key":"edge-8a6d20c4ee"}',
  WEBHOOK_SECRET: 'webhook-71f0b3a2d9c8',
  OPS_TOKEN: 'ops-token-5b9e4f7a1c2d',
  PREVIEW_SECRET: 'preview-secret-3d8f1b6e9a7c40d2b5e8',
  PREVIEW_TOKEN: 'preview-token-6c1e9d4a8b',
};
const WORDS = [
  ...['token-cd5e1a9b7f', 'edge-8a6d20c4ee', 'webhook-71f0b3a2d9c8', 'ops-token-5b9e4f7a1c2d'],
  ...['preview-secret-3d8f1b6e9a7c40d2b5e8', 'preview-token-6c1e9d4a8b'],
];
/** Words that visitors typed. */
const TYPED = ['nobody-4711@example.org', 'A message that is nobody else’s business 4711', 'Name 4711'];

let backend: FakeBackend;
let site: RunningSite;
beforeAll(async () => {
  backend = await startFakeBackend();
  site = await startSite({
    contentBaseUrl: backend.url,
    env: {
      ...SECRETS,
      LOG_LEVEL: 'trace',
      CONTENT_TTL_MS: '0',
      STALE_IF_ERROR_MS: '0',
      PAGE_CACHE_BYTES: '0',
    },
  });
});
afterAll(async () => {
  await site.close();
  await backend.close();
});

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const message = { form: 'contact', name: TYPED[2] ?? '', email: TYPED[0] ?? '', message: TYPED[1] ?? '' };

/** Sends requests of visitors, backend and operators of all kinds, with and without failures. */
async function goThroughEverything(): Promise<Answer[]> {
  const get = (address: string, headers: Record<string, string> = {}, base = site.url) =>
    sendRequest(base, address, { headers: { ...AS_BROWSER, ...headers } });
  const pages = async () => [
    await get('/'),
    await get('/about'),
    await get('/about/_payload.json'),
    await get('/no-such-page'),
    await get('/commerce/none', { accept: 'application/json' }),
    await get('/%zz'),
    await get('/uploads/none.png'),
    await get('/sitemap.xml'),
    await get('/blog/feed.xml'),
    await get('/builds/latest.json'),
    await get('/about?token=token-of-the-query-4711'),
    await get(`/api/preview?url=/about&secret=${SECRETS.PREVIEW_SECRET}`),
    await get(`/api/preview?url=//about&secret=${SECRETS.PREVIEW_SECRET}`),
    await get(`/api/preview?url=/about&secret=${SECRETS.PREVIEW_SECRET}x`),
    await get('/about', editor('draft', SECRETS.PREVIEW_SECRET)),
    await postJson(site.url, '/api/email/send', message),
    await postForm(site.url, '/api/email/send', { ...message, page: '/about' }),
    await postForm(site.url, '/api/email/send', { ...message, email: '', page: '/about' }),
    await postJson(site.url, '/api/email/send', '{'),
    await postJson(site.url, '/api/email/send', JSON.stringify('x'.repeat(70_000))),
  ];
  const answers = await pages();
  for (const secret of [SECRETS.WEBHOOK_SECRET, `${SECRETS.WEBHOOK_SECRET}x`]) {
    for (const body of ['{"event":"entry.update"}', '{', '[]'])
      answers.push(
        await sendRequest(site.url, '/webhooks/content', {
          method: 'POST',
          headers: { ...bearer(secret), 'content-type': 'application/json' },
          body,
        }),
      );
  }
  for (const secret of [SECRETS.OPS_TOKEN, `${SECRETS.OPS_TOKEN}x`]) {
    for (const address of ['/cache', '/metrics', '/readyz', '/none'])
      answers.push(await get(address, bearer(secret), site.opsUrl));
  }
  // Error responses of this backend repeat the request.
  for (const address of ['/api/settings', '/api/pages', '/api/email/send', '/uploads/none.png']) {
    backend.on(address, (req, res) => {
      res.writeHead(401, { 'Content-Type': 'application/json', 'X-Echo': String(req.headers.authorization) });
      res.end(JSON.stringify({ error: { status: 401, name: 'E', message: JSON.stringify(req.headers) } }));
    });
  }
  answers.push(...(await pages()));
  backend.reset();
  for (const address of ['/api/settings', '/api/pages', '/api/email/send']) backend.on(address, failing(500));
  answers.push(...(await pages()));
  backend.reset();
  return answers;
}

describe('in every situation', () => {
  it('the log has no secret and no typed word, and no response has a secret', async () => {
    const answers = await goThroughEverything();
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([200, 202, 303, 307, 400, 401, 404, 413, 422, 503]),
    );
    const log = site.log.map(line => JSON.stringify(line)).join('\n');
    expect(log.length).toBeGreaterThan(10_000);
    for (const word of [...WORDS, ...TYPED, 'token-of-the-query-4711']) expect(log).not.toContain(word);
    for (const answer of answers) {
      const all = JSON.stringify(answer.headers) + answer.text;
      for (const word of WORDS) expect(all).not.toContain(word);
      // The backend's host and positions in source files are hidden as well.
      expect(all).not.toContain(new URL(backend.url).host);
      expect(answer.text).not.toMatch(/\bat .*\.(?:ts|js):\d+|node_modules|ECONN|BackendError/);
    }
    // The calls contain the secrets. After a failed call the site pauses, so the test waits.
    await eventually(async () => {
      await sendRequest(site.url, '/about');
      expect(JSON.stringify(backend.callsTo('/api/pages').map(({ headers }) => headers))).toContain(WORDS[0]);
    });
  });

  it('neither the output of a process that could not start nor the page data has a secret', async () => {
    const page = await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    const data =
      /<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(page.text)?.[1] ?? '{}';
    expect(JSON.parse(data).config).toEqual({ buildPollIntervalMs: 3_600_000 });
  });
});

describe('the bundles', () => {
  const files = readdirSync(path.join(DIST_DIR, 'client'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(?:js|css|json|txt)$/.test(entry.name))
    .map(entry => path.join(entry.parentPath, entry.name));

  it('the bundles contain no environment variable, no secret and no path of the build machine', () => {
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      expect(text, file).not.toMatch(
        /CONTENT_TOKEN|CONTENT_HEADERS|WEBHOOK_SECRET|OPS_TOKEN|PREVIEW_|process\.env/,
      );
      expect(text, file).not.toContain(path.resolve(DIST_DIR, '..'));
    }
  });
});

describe('a log entry', () => {
  const ESCAPE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

  it('an address or a header cannot forge a log entry', async () => {
    const lines: string[] = [];
    const stop = collect(lines);
    for (const address of [
      '/about%0d%0a{"level":"error","msg":"forged"}',
      '/about%1b[2J%1b]0;forged%07',
      '/%c2%9b31mforged',
      '/%e2%80%a8forged%e2%80%ae',
      '/about?x=%0aforged',
      '/{"msg":"forged"}',
    ]) {
      await sendRequest(site.url, address, {
        headers: {
          ...AS_BROWSER,
          'user-agent': 'x\u009b31m {"msg":"forged"}',
          referer: 'http://a/\u009bforged',
          'x-forwarded-for': 'forged',
          'x-request-id': 'forged',
        },
      });
    }
    stop();
    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const line of lines) {
      expect(line).not.toMatch(ESCAPE);
      expect(JSON.parse(line).msg).not.toBe('forged');
    }
  });

  it('a browser’s report or content cannot forge a log entry', async () => {
    const forged = 'a\r\n{"msg":"forged"}\u001b[2J\u009b\u2028\u202e';
    const lines: string[] = [];
    const stop = collect(lines);
    await postJson(site.url, '/client-errors', {
      where: 'render',
      name: forged,
      message: forged,
      stack: forged,
      path: forged,
    });
    await sendRequest(site.url, '/csp-reports', {
      method: 'POST',
      headers: { 'content-type': 'application/csp-report' },
      body: JSON.stringify({ 'csp-report': { 'document-uri': forged, 'blocked-uri': forged } }),
    });
    backend.on('/api/redirects', {
      data: [{ id: forged, attributes: { from: forged, to: forged } }],
      meta: {},
    });
    await sendRequest(site.url, '/about');
    backend.reset();
    stop();
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const line of lines) expect(line).not.toMatch(ESCAPE);
  });

  /**
   * Begins to collect log entries as they are written. @returns a function that appends the new entries to
   * the list.
   */
  function collect(lines: string[]): () => void {
    const from = site.rawLog.length;
    return () => void lines.push(...site.rawLog.slice(from));
  }
});

describe('the two ports', () => {
  it.each(['/metrics', '/replicas', '/doctor', '/cache', '/cache?tag=*', '/redirects'])(
    'the public port does not serve %s',
    async address => {
      for (const method of ['GET', 'DELETE']) {
        const answer = await sendRequest(site.url, address, { method, headers: bearer(SECRETS.OPS_TOKEN) });
        expect(answer.status).toBe(method === 'GET' ? 404 : 405);
        expect(answer.text).not.toMatch(/site_page|process_cpu|"ok"|"entries"/);
      }
    },
  );

  it.each([
    ['GET', '/about'],
    ['GET', '/about/_payload.json'],
    ['GET', '/favicon.svg'],
    ['GET', '/builds/latest.json'],
    ['GET', '/sitemap.xml'],
    ['GET', '/uploads/picture.png'],
    ['POST', '/api/email/send'],
    ['POST', '/client-errors'],
    ['POST', '/csp-reports'],
    ['POST', '/webhooks/content'],
  ])('the ops port does not serve %s %s', async (method, address) => {
    const answer = await sendRequest(site.opsUrl, address, {
      method,
      headers: bearer(SECRETS.WEBHOOK_SECRET),
    });
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toContain('application/json');
  });

  it('without configured secrets neither port has webhooks or cache calls', async () => {
    const embedded = await startEmbeddedBackend({
      contentDir: FIXTURE_CONTENT,
      mailDir: '/nonexistent',
    });
    const bare = await startSite({ contentBaseUrl: embedded.url });
    const webhook = await sendRequest(bare.url, '/webhooks/content', { method: 'POST', headers: bearer('') });
    expect(webhook.status).toBe(405);
    expect((await sendRequest(bare.opsUrl, '/cache', { headers: bearer('') })).status).toBe(404);
    await bare.close();
    await embedded.close();
  });
});
