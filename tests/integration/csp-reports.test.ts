import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AppClient, sampleAppClient } from '../support/app-client.ts';

let app: AppClient;
// Each test starts a site, because reports are counted by address.
beforeEach(async () => {
  app = await sampleAppClient({ env: { PUBLIC_URL: 'https://www.example.com' } });
});
afterEach(() => app.close());

function report(body: unknown, type = 'application/csp-report', headers: Record<string, string> = {}) {
  return app.client
    .post('/csp-reports')
    .set({ 'content-type': type, ...headers })
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}

const logged = () => app.log.filter(line => line.code === 'browser-csp-report').map(line => line.report);

/** A report in Chromium's format for `report-uri`. */
const BY_URI = {
  'csp-report': {
    'document-uri': 'https://www.example.com/about?token=secret',
    referrer: 'https://www.example.com/?who=me',
    'violated-directive': 'img-src',
    'effective-directive': 'img-src',
    'original-policy': "default-src 'none'; img-src 'self'",
    disposition: 'enforce',
    'blocked-uri': 'https://evil.example/x?y=secret#z',
    'line-number': 1,
    'source-file': 'https://www.example.com/about',
    'status-code': 200,
    'script-sample': '',
  },
};
/** A report in the format of the Reporting API, for `report-to`. */
const BY_API = {
  age: 12,
  type: 'csp-violation',
  url: 'https://www.example.com/about',
  user_agent: 'Mozilla/5.0',
  body: {
    blockedURL: 'https://evil.example/x?y=secret#z',
    disposition: 'enforce',
    documentURL: 'https://www.example.com/about?token=secret',
    effectiveDirective: 'img-src',
    originalPolicy: "default-src 'none'; img-src 'self'",
    sourceFile: 'https://www.example.com/about',
    statusCode: 200,
  },
};
const LOGGED = {
  page: 'https://www.example.com/about',
  directive: 'img-src',
  blocked: 'https://evil.example/x',
  source: 'https://www.example.com/about',
};

describe('a report of the security policy', () => {
  it('both security headers request CSP reports', async () => {
    const { headers } = await app.client.get('/about');
    expect(headers['content-security-policy']).toMatch(/report-uri \/csp-reports; report-to csp$/);
    expect(headers['reporting-endpoints']).toBe('csp="/csp-reports"');
  });

  it.each([
    ['by report-uri', BY_URI, 'application/csp-report', [LOGGED]],
    ['by the Reporting API', [BY_API, BY_API], 'application/reports+json', [LOGGED, LOGGED]],
    [
      'among others',
      [{ type: 'deprecation', body: {} }, null, 7, BY_API],
      'application/reports+json',
      [LOGGED],
    ],
  ])('a CSP report %s is logged without queries', async (_what, body, type, lines) => {
    const answer = await report(body, type);
    expect(answer.status).toBe(204);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(logged()).toEqual(lines);
    expect(app.rawLog.join('\n')).not.toContain('secret');
  });

  it('a long CSP report, or a long list of them, is truncated in the log', async () => {
    const long = 'x'.repeat(1_000);
    await report({ 'csp-report': { 'document-uri': long, 'blocked-uri': long } });
    expect(logged()).toEqual([
      { page: 'x'.repeat(300), directive: '', blocked: 'x'.repeat(300), source: '' },
    ]);
    await report(Array(25).fill(BY_API), 'application/reports+json');
    expect(logged()).toHaveLength(11);
  });

  it.each(['', '{', '7', 'null', '"x"', '{}', '{"csp-report":7}', '{"__proto__":{"csp-report":{}}}'])(
    'a body that is not a CSP report is refused: %j',
    async body => {
      expect((await report(body)).status).toBe(400);
      expect(logged()).toEqual([]);
    },
  );

  it('a CSP report with another content type is refused', async () => {
    expect((await report(BY_URI, 'text/plain')).status).toBe(400);
    expect((await app.client.get('/csp-reports')).status).toBe(404);
  });

  it('one address may send thirty CSP reports a minute, whatever X-Forwarded-For says', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 40; index += 1)
      statuses.push((await report(BY_URI, undefined, { 'x-forwarded-for': `10.0.0.${index}` })).status);
    expect(statuses.filter(status => status === 204)).toHaveLength(30);
    expect(statuses.slice(30)).toEqual(Array(10).fill(429));
    expect(logged()).toHaveLength(30);
  });
});
