import { createServer } from 'node:http';
import { describe, expect } from 'vitest';
import { namedTypes } from '../../server/wire/described-types.ts';
import { doctorTest as it, lineOf, SEND, type SickCms } from '../support/doctor-test.ts';
import { failing } from '../support/fake-backend.ts';
import { close, listen } from '../support/listen.ts';

const ALL = namedTypes.map(([, { path }]) => path);

const onAll = (cms: SickCms, status: number) => {
  for (const type of ALL) cms.on(`/api/${type}`, failing(status, 'Forbidden'));
};

describe('a backend without a usable response', () => {
  it('the doctor reports one finding when nothing answers', async ({ examined }) => {
    const server = createServer();
    const url = await listen(server);
    await close(server);
    const report = await examined({ CONTENT_BASE_URL: url });
    expect(report).toMatchObject({ isReached: false, strapi: null, findings: [{ code: 'address-silent' }] });
    expect(report.findings.map(lineOf)).toEqual([
      expect.stringMatching(
        /^error address: nothing answers at .* \(ECONNREFUSED\) → start the CMS, or set CONTENT_BASE_URL/,
      ),
    ]);
  });

  it('the doctor reports one finding when the backend hangs', async ({ cms, examined }) => {
    cms.hang();
    const report = await examined({ CONTENT_TIMEOUT_MS: '200' });
    expect(report.findings.map(lineOf)).toEqual([
      expect.stringMatching(/^error address: .* gives no answer within 200 ms/),
    ]);
    expect(report).toMatchObject({ calls: 1, findings: [{ code: 'address-timeout' }] });
  });

  it('the doctor reports one finding when the address is the admin panel’s', async ({ cms, examined }) => {
    for (const type of ALL)
      cms.on(`/admin/api/${type}`, (_req, res) => res.setHeader('Content-Type', 'text/html').end('<html>'));
    const { findings } = await examined({ CONTENT_BASE_URL: `${cms.url}/admin` });
    expect(findings.map(({ code }) => code)).toEqual(['address-elsewhere']);
    expect(findings.map(lineOf)).toEqual([
      expect.stringMatching(
        new RegExp(`^error address: .*, but at ${cms.url} → set CONTENT_BASE_URL=${cms.url} and`),
      ),
    ]);
  });

  it('the doctor reports one finding for a redirect, and sends the other server no credentials', async ({
    cms,
    examined,
  }) => {
    const moved = createServer((req, res) => res.writeHead(308, { location: cms.url + req.url }).end());
    const url = await listen(moved);
    try {
      const { findings } = await examined({ CONTENT_BASE_URL: url, CONTENT_TOKEN: 'a-token' });
      expect(findings.map(lineOf)).toEqual([
        expect.stringMatching(new RegExp(`^error address: the CMS is not at ${url} .* but at ${cms.url} `)),
      ]);
      expect(cms.calls.filter(({ headers }) => headers.authorization)).toEqual([]);
    } finally {
      await close(moved);
    }
  });

  it.for([
    [
      'token-refused',
      401,
      { CONTENT_TOKEN: 'a-token' },
      /^error token: the CMS does not accept CONTENT_TOKEN \(401\).* → .*API Tokens/,
    ],
    [
      'token-without-permissions',
      403,
      { CONTENT_TOKEN: 'a-token' },
      /^error token: CONTENT_TOKEN may read no type \(403\) → .*API Tokens/,
    ],
    [
      'public-without-permissions',
      403,
      {},
      /^error token: .* CONTENT_TOKEN is not set → .*Create new API Token/,
    ],
    [
      'address-without-types',
      404,
      {},
      /^error address: the server at .* has none of the content types \(404\)/,
    ],
    [
      'token-absent',
      401,
      {},
      /^error token: the CMS asks for credentials \(401\), and CONTENT_TOKEN is not set/,
    ],
    ['cms-failing', 500, {}, /^error address: the CMS fails at every call: answered 500/],
  ] as const)(
    'the doctor reports %s when the backend answers %i to everything',
    async ([code, status, env, line], { cms, examined }) => {
      onAll(cms, status);
      cms.on(SEND, failing(status));
      const { findings } = await examined(env, { posts: true });
      const [found, ...others] = findings.filter(({ about }) => about !== 'webhook');
      expect([found?.code, found && lineOf(found), others]).toEqual([code, expect.stringMatching(line), []]);
    },
  );
});
