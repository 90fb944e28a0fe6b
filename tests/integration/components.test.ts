import { describe, expect } from 'vitest';
import { EVERYTHING } from '../../server/cache/tags/invalidation-log.ts';
import { digestOf } from '../../server/content/requests/content-request.ts';
import type { Finding } from '../../server/doctor/finding.ts';
import { type ComponentBackend, type Form, startComponentBackend } from '../support/component-backend.ts';
import { getPage } from '../support/content-answers.ts';
import { doctorTest, lineOf } from '../support/doctor-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { backendTest } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const it = backendTest.extend('startForms', async ({}, { onCleanup }) => {
  const running: ComponentBackend[] = [];
  onCleanup(async () => {
    await Promise.all(running.map(backend => backend.close()));
  });
  return async (...options: Parameters<typeof startComponentBackend>) => {
    const backend = await startComponentBackend(...options);
    running.push(backend);
    return backend;
  };
});

const PATHS = Object.values(SAMPLE_PATHS);
/** @returns the payload of each page: data, links and head. They explain a failed comparison of digests. */
async function pagesOf(site: RunningSite) {
  const pages = PATHS.map(async path => {
    const answer = await getPage(site, `${path === '/' ? '' : path}/_payload.json`);
    const { status, text } = answer;
    return [path, { status, digest: digestOf(text), payload: answer.json<object>() }] as const;
  });
  return Object.fromEntries(await Promise.all(pages));
}
const asksForComponents = (calls: readonly string[]) =>
  calls.filter(call => call.includes('populate[headerBlock]'));

const FORMS: readonly (readonly [name: string, formOf: (field: string) => Form, shape?: 'flat'])[] = [
  ['components', () => 'component'],
  ['components in the flat shape', () => 'component', 'flat'],
  [
    'components, JSON for the partners and questions',
    field => (/partners|questions/.test(field) ? 'json' : 'component'),
  ],
  [
    'JSON, components for the partners and links',
    field => (/partners|Links/.test(field) ? 'component' : 'json'),
  ],
  ['components, from before words had one', field => (field === 'labels' ? 'absent' : 'component')],
];

describe('a backend', () => {
  it.for(FORMS)(
    'a backend with %s gives the same pages as one with JSON',
    async ([, formOf, shape], { startForms, startOwnSite }) => {
      const json = await startForms(() => 'json');
      const expected = await pagesOf(await startOwnSite({ contentBaseUrl: json.url }));
      const backend = await startForms(formOf, shape);
      const site = await startOwnSite({ contentBaseUrl: backend.url });
      expect(await pagesOf(site)).toEqual(expected);
      expect(expected['/']?.status).toBe(200);
      expect(JSON.stringify(expected['/'])).toMatch(/"items":\[.*icons\.svg#collect.*northbank/);
      expect(site.log.filter(({ field }) => field !== undefined)).toEqual([]);
    },
  );
});

describe('a backend with JSON', () => {
  it('a backend with JSON is asked for components only once, until an event', async ({
    startForms,
    startOwnSite,
  }) => {
    const backend = await startForms(() => 'json');
    const site = await startOwnSite({ contentBaseUrl: backend.url, env: { CONTENT_TTL_MS: '3600000' } });
    const landing = () => backend.callsTo('/api/landing');
    await pagesOf(site);
    expect(landing().map(call => call.includes('headerBlock'))).toEqual([true, false]);
    expect(backend.callsTo('/api/settings').at(-1)).toBe('/api/settings?populate=*');
    site.site.invalidation.remove([EVERYTHING]);
    await pagesOf(site);
    expect(asksForComponents(landing())).toHaveLength(1);
    expect(landing()).toHaveLength(3);
    site.site.content.api.forgetMissingFields();
    site.site.invalidation.remove([EVERYTHING]);
    await pagesOf(site);
    expect(asksForComponents(landing())).toHaveLength(2);
    expect(site.log.filter(({ code }) => code === 'content-field-absent')).toEqual([]);
  });

  it('a backend with JSON may lack a field of its component', async ({ startForms, startOwnSite }) => {
    const backend = await startForms(field => (field === 'partnersBlock' ? 'absent' : 'json'));
    const site = await startOwnSite({ contentBaseUrl: backend.url });
    const { status, text } = await getPage(site, '/');
    expect([status, text.includes('northbank'), text.includes('icons.svg#collect')]).toEqual([
      200,
      false,
      true,
    ]);
    await getPage(site, '/about');
    // Four calls: with components, without them, with the missing field, and without it. `/about` adds none.
    expect(backend.callsTo('/api/landing')).toHaveLength(4);
  });
});

describe('the doctor', () => {
  const lacking = (report: { findings: readonly Finding[] }) =>
    report.findings.filter(({ what }) => what.includes('lacks')).map(lineOf);

  doctorTest(
    'the doctor accepts JSON and components alike, and names a field that is neither',
    async ({ examined }) => {
      for (const form of ['json', 'component'] as const) {
        const whole = await startComponentBackend(() => form);
        const broken = await startComponentBackend(field => (field === 'partnersBlock' ? 'absent' : form));
        try {
          expect(lacking(await examined({ CONTENT_BASE_URL: whole.url }))).toEqual([]);
          expect(lacking(await examined({ CONTENT_BASE_URL: broken.url }))).toEqual([
            expect.stringMatching(
              /^warning landing: “Home page” .* lacks the field 'partnersBlock' .*partnersBlock \(Component or JSON\)/,
            ),
          ]);
          expect(whole.callsTo('/api/landing').length).toBeLessThan(6);
        } finally {
          await Promise.all([whole.close(), broken.close()]);
        }
      }
    },
  );
});

it('a 400 that mentions no component is a failure', async ({ backend, startOwnSite }) => {
  backend.on('/api/landing', (_req, res) => {
    res.writeHead(400, { 'Content-Type': 'application/json' });
    res.end(
      JSON.stringify({
        data: null,
        error: { status: 400, name: 'ValidationError', message: 'Invalid key x' },
      }),
    );
  });
  const site = await startOwnSite();
  expect((await getPage(site, '/')).status).toBe(503);
  expect(new Set(backend.callsTo('/api/landing').map(({ url }) => url)).size).toBe(1);
});
