import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import type { Report } from '../../server/doctor/examine.ts';
import { doctorTest, lineOf, rowsIn, SEND } from '../support/doctor-test.ts';
import { entryEvent, sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing, sendJson } from '../support/fake-backend.ts';
import { PREVIEW_ENV } from '../support/preview-test.ts';
import { DIST_DIR, type RunningSite, startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';

const it = doctorTest
  .extend('site', { scope: 'file' }, async ({ cms }, { onCleanup }): Promise<RunningSite> => {
    const site = await startSite({ contentBaseUrl: cms.url, env: { WEBHOOK_SECRET: SECRET } });
    onCleanup(() => site.close());
    return site;
  })
  /** Runs the built command with the configuration of the running site. */
  .extend('run', async ({ cms, site }) => {
    return async (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
      const command = [path.join(DIST_DIR, 'server/doctor.js'), ...args];
      const options = {
        env: {
          ...{ CONTENT_BASE_URL: cms.url, CONTENT_TIMEOUT_MS: '20000' },
          ...{ PUBLIC_URL: site.url, WEBHOOK_SECRET: SECRET, OPS_PORT: new URL(site.opsUrl).port },
          ...env,
        },
      };
      return promisify(execFile)(process.execPath, command, options).then(
        ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
        (failure: { code: number; stdout: string; stderr: string }) => failure,
      );
    };
  })
  .extend('findings', async ({ run }) => async (env: Readonly<Record<string, string>> = {}) => {
    const { code, stdout } = await run(['--json'], env);
    const { findings } = JSON.parse(stdout) as Report;
    return { code, lines: findings.map(lineOf) };
  });

/** A backend event about an entry. */
const EVENT = entryEvent('entry.update', 'category', { id: 1, documentId: 'none', attributes: {} });

describe('npm run doctor', () => {
  it('npm run doctor exits with 0 and one sentence if nothing is wrong', async ({ cms, site, run }) => {
    await sendWebhook(site.url, SECRET, EVENT);
    const { code, stdout } = await run();
    expect(stdout).toMatch(
      new RegExp(
        `^Strapi 5 at ${cms.url}: \\d+ calls in \\d+\\.\\d s\n\nEverything is as the site needs it\\.\n$`,
      ),
    );
    expect(code).toBe(0);
  });

  it('npm run doctor exits with 1 and lists the findings if pages are broken', async ({ cms, run }) => {
    cms.on('/api/pages', failing(403));
    cms.on('/api/commerces', failing(404));
    const { code, stdout } = await run();
    expect(stdout).toMatch(/\n\nBROKEN: .*“Page”.* → .* \(pages: \/:slug, .*\)\nWARNING: .*'commerces'/);
    expect(stdout).toMatch(/\n\n1 broken, \d to look at\. After a repair run the doctor again\.\n$/);
    expect(code).toBe(1);
    // The examination does not change the site's content.
    expect(cms.callsTo(SEND).map(({ body }) => body)).toEqual(['{"form":"doctor"}']);
  });

  it('npm run doctor exits with 0 and lists harmless findings when the CMS omits fields deliberately', async ({
    cms,
    run,
  }) => {
    cms.takeAway('commerces', 'order');
    cms.takeAway('pages', 'sections');
    const env = { WEBHOOK_SECRET: '' };
    const { code, stdout } = await run([], env);
    expect(stdout).toMatch(/\nWARNING: there is no webhook.*\nMAY STAY: .*'order'.*\nMAY STAY: .*'sections'/);
    expect(stdout).toMatch(
      /\n\n0 broken, 1 to look at, 2 may stay\. After a repair run the doctor again\.\n$/,
    );
    expect(code).toBe(0);

    const clean = await run();
    expect(clean.stdout).toMatch(
      /\n\nEverything is as the site needs it\. 2 may stay, if it is so on purpose\.\n$/,
    );
    expect(clean.code).toBe(0);
    const { findings } = JSON.parse((await run(['--json'], env)).stdout) as Report;
    expect(findings.map(({ about, mayStay }) => [about, mayStay])).toEqual([
      ['webhook', undefined],
      ['commerces', true],
      ['pages', true],
    ]);
  });

  it('npm run doctor explains its usage, an invalid configuration and a missing CMS', async ({ run }) => {
    expect(await run(['--nonsense'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') });
    expect(await run([], { CONTENT_TIMEOUT_MS: 'x' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('CONTENT_TIMEOUT_MS'),
    });
    expect(await run([], { CONTENT_BASE_URL: '' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no CMS to examine'),
    });
  });
});

describe('the route of the forms', () => {
  it.for<[status: number, line: RegExp]>([
    [401, /^error email: .*401 .* → set CONTENT_TOKEN/],
    [403, /^error email: .*403 .* → allow 'send' of Email .*Settings → API Tokens/],
    [404, /^error email: .*404 .* → add the route POST \/api\/email\/send/],
    [405, /^error email: .*405 .* → add the route POST \/api\/email\/send/],
    [500, /^error email: .*500 .* → look for POST \/api\/email\/send in the log/],
  ])('the doctor reports a form route that answers %i', async ([status, line], { cms, findings }) => {
    cms.on(SEND, failing(status));
    expect(await findings()).toEqual({
      code: 1,
      lines: expect.arrayContaining([expect.stringMatching(line)]),
    });
  });

  it('the doctor warns of a form route that accepts everything', async ({ cms, findings }) => {
    cms.on(SEND, (_req, res) => sendJson(res, 200, {}));
    const { code, lines } = await findings();
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^warning email: .*accepts a message of a form that does not exist/),
      ]),
    );
    expect(code).toBe(0);
  });
});

describe('the preview', () => {
  it('the doctor warns when the running site opens no preview', async ({ findings }) => {
    const { lines } = await findings(PREVIEW_ENV);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^warning preview: the site does not open a preview at .* \(404\) → check that PUBLIC_URL .*start the site/,
        ),
      ]),
    );
  });
});

it('a wrong PUBLIC_URL is one finding, although webhook and preview both fail', async ({ findings }) => {
  const { lines } = await findings({ ...PREVIEW_ENV, PUBLIC_URL: 'http://127.0.0.1:1' });
  expect(lines.filter(line => line.includes('127.0.0.1:1'))).toEqual([
    expect.stringMatching(/^warning webhook: .*ECONNREFUSED.* → check that PUBLIC_URL is the address/),
  ]);
});

describe('the webhook', () => {
  const webhook = (lines: readonly string[]) => lines.filter(line => line.includes(' webhook: '));

  it('the doctor warns when the site refuses a webhook event', async ({ site, findings }) => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ WEBHOOK_SECRET: '' }, /there is no webhook, .* → set WEBHOOK_SECRET .*Settings → Webhooks/],
      [{ WEBHOOK_SECRET: 'another-secret-of-it' }, /does not reach the site at .* \(401\)/],
      [{ PUBLIC_URL: site.opsUrl }, /does not reach the site at .* \(404\)/],
      [{ PUBLIC_URL: 'http://127.0.0.1:1' }, /\(ECONNREFUSED\).* → check that PUBLIC_URL is the address/],
    ];
    for (const [env, line] of cases) {
      const { lines } = await findings(env);
      expect(webhook(lines)).toEqual([expect.stringMatching(line)]);
    }
  });

  it('the doctor warns until an event of the CMS has arrived; the doctor’s own event does not count', async ({
    cms,
    findings,
  }) => {
    const timing = { CONTENT_SWEEP_MS: '50' };
    const site = await startSite({ contentBaseUrl: cms.url, env: { WEBHOOK_SECRET: SECRET, ...timing } });
    try {
      const env = { PUBLIC_URL: site.url, OPS_PORT: new URL(site.opsUrl).port };
      for (let times = 0; times < 2; times += 1)
        expect(webhook((await findings({ ...env, CONTENT_SWEEP_MS: '0' })).lines)).toEqual([
          expect.stringMatching(
            /no event has come since the site started at .*Settings → Webhooks: URL http/,
          ),
        ]);
      // With the sweep the doctor finds no fault in a site that has had no edits.
      expect(webhook((await findings(env)).lines)).toEqual([]);
      await sendWebhook(site.url, SECRET, EVENT);
      expect(webhook((await findings(env)).lines)).toEqual([]);
      // An editor has changed the settings, and no event arrived.
      const later = new Date(Date.now() + 3_600_000).toISOString();
      cms.alter('settings', answer => {
        for (const row of rowsIn(answer)) row.attributes.updatedAt = later;
        return answer;
      });
      await eventually(async () =>
        expect(webhook((await findings(env)).lines)).toEqual([
          expect.stringMatching(
            /the site found a change of 'settings' by itself at 20.*, and no event has come since .*, by the name 127/,
          ),
        ]),
      );
      await sendWebhook(site.url, SECRET, EVENT);
      expect(webhook((await findings(env)).lines)).toEqual([]);
    } finally {
      await site.close();
    }
  });
});
