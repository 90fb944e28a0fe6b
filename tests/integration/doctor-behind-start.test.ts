import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Report } from '../../server/doctor/examine.ts';
import { startBuiltSite } from '../faults/built-site.ts';
import { doctorTest, lineOf, rowsIn } from '../support/doctor-test.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { sendRequest } from '../support/send-request.ts';
import { type LogLine, type RunningSite, startSite } from '../support/start-site.ts';

const FOUND = 'doctor-finding';

/** The preloaded clock shortens the ten seconds before the examination to one. */
const FAST_CLOCK = ['--import', path.resolve(import.meta.dirname, '../faults/fast-clock.ts')];

/** Starts a site that stops after the test. */
const it = doctorTest.extend('start', async ({ cms }, { onCleanup }) => {
  const sites: RunningSite[] = [];
  onCleanup(async () => {
    await Promise.all(sites.map(site => site.close()));
  });
  return async (contentBaseUrl = cms.url): Promise<RunningSite> => {
    const site = await startSite({ contentBaseUrl });
    sites.push(site);
    return site;
  };
});

const reportOf = async (opsUrl: string) => sendRequest(opsUrl, '/doctor');
/** @returns the log entries about a type, as `level code`. */
const linesAbout = (log: readonly LogLine[], type: string) =>
  log
    .filter(line => (line.type ?? line.about) === type && line.level !== 'debug')
    .map(({ level, code }) => `${level} ${code}`);

describe('the doctor in the background', () => {
  it('the background doctor sends no message, and reports on the ops port', async ({ cms, start }) => {
    const site = await start();
    expect((await reportOf(site.opsUrl)).status).toBe(503);
    cms.takeAway('pages', 'questions');
    cms.calls.length = 0;
    await site.site.doctor.examine();
    const answer = await reportOf(site.opsUrl);
    expect(answer.status).toBe(200);
    const { findings } = answer.json<Report>();
    expect(findings.map(lineOf)).toEqual([
      expect.stringMatching(/^warning pages: “Page” .* lacks the field 'questions'/),
    ]);
    expect(cms.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('the background doctor logs each fault once, with the steps in the panel', async ({ cms, start }) => {
    cms.takeAway('commerces', 'questions');
    const site = await start();
    for (let times = 0; times < 2; times += 1) await site.site.doctor.examine();
    expect(linesAbout(site.log, 'commerces')).toEqual([`warn ${FOUND}`]);
    expect(site.log.find(({ code }) => code === FOUND)).toMatchObject({
      about: 'commerces',
      fault: "“Commerce page” (/api/commerces) lacks the field 'questions'",
      remedy:
        'Strapi: Content-Type Builder → Commerce page → Add another field: questions (Component or JSON)',
      pages: '/commerce/:slug, /:slug',
    });
  });

  it('the background doctor omits faults of permissions, relations and slugs that the site logs', async ({
    cms,
    start,
  }) => {
    cms.on('/api/pages', failing(403));
    cms.on('/api/socials', failing(403));
    cms.alter('landing', answer => {
      for (const { attributes } of rowsIn(answer)) delete attributes.countries_list;
      return answer;
    });
    cms.alter('commerces', answer => {
      for (const { attributes } of rowsIn(answer).slice(0, 2)) attributes.slug = 'twin';
      return answer;
    });
    const site = await start();
    await site.site.doctor.examine();
    const { findings } = (await reportOf(site.opsUrl)).json<Report>();
    expect(findings.map(({ about }) => about).sort()).toEqual(['commerces', 'landing', 'pages', 'socials']);
    expect(linesAbout(site.log, 'pages')).toEqual(['error content-type-empty']);
    expect(linesAbout(site.log, 'socials')).toEqual(['error content-type-empty']);
    expect(linesAbout(site.log, 'landing')).toEqual(['warn content-relation-absent']);
    expect(linesAbout(site.log, 'commerces')).toEqual(['warn content-address-clash']);
  });

  it('the background doctor names the right address of the CMS while the site has no content', async ({
    cms,
    start,
  }) => {
    const site = await start(`${cms.url}/admin`);
    await site.site.doctor.examine();
    expect(site.log.filter(({ code }) => code === FOUND)).toMatchObject([
      { level: 'error', about: 'address', remedy: expect.stringContaining(`CONTENT_BASE_URL=${cms.url} `) },
    ]);
  });

  it('the built site runs the doctor by itself', async ({ cms }) => {
    const site = await startBuiltSite({
      contentBaseUrl: cms.url,
      env: { CLOCK_RATE: '10' },
      nodeArguments: FAST_CLOCK,
    });
    try {
      await eventually(async () => {
        const answer = await reportOf(site.opsUrl);
        expect(answer.status).toBe(200);
        expect(answer.json()).toMatchObject({ backend: cms.url, isReached: true, findings: [] });
      });
    } finally {
      await site.dispose();
    }
  });
});
