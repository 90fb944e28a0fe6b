import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { ROWS } from '../../deploy/scripts/dashboard.ts';
import { startTraffic } from '../faults/traffic.ts';
import { type ComposedStack, stackTest } from '../support/composed-stack.ts';
import { entryEvent, sendWebhook } from '../support/editable-backend.ts';
import { engineFor } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { words } from '../support/form-test.ts';
import { patient } from '../support/patience.ts';
import { AS_BROWSER, postJson, sendRequest } from '../support/send-request.ts';

const LONG = { timeout: patient(180_000) };
const QUERIES = ROWS.flatMap(({ panels }) =>
  panels.flatMap(({ title, queries }) => queries.map(({ expression }) => ({ title, expression }))),
);

/** The load of each site while Prometheus reads. */
const VISITS_A_SECOND = 25;
const LOADED = ['/', '/about', '/blog'];

describe('Prometheus beside sites under load', () => {
  stackTest(
    'each query of the dashboard finds numbers, and each rule is evaluated',
    LONG,
    async ({ stack }) => {
      const { prometheus } = stack;
      expect(QUERIES.length).toBeGreaterThan(40);
      // A busy machine may refuse a page at its first render.
      for (const { url } of stack.sites)
        for (const address of LOADED)
          await eventually(async () => expect((await sendRequest(url, address)).status).toBe(200));
      const loads = stack.sites.map(({ url }) => startTraffic(url, LOADED, VISITS_A_SECOND));
      onTestFinished(async () => {
        await Promise.all(loads.map(load => load.stop()));
      });
      await eventually(async () => {
        await visits(stack);
        const empty = [];
        for (const { title, expression } of QUERIES) {
          const found = await prometheus.query(expression.replaceAll('$__rate_interval', '20s'));
          if (!found.some(({ value }) => Number.isFinite(Number(value[1])))) empty.push([title, expression]);
        }
        expect(empty).toEqual([]);
      }, 60_000);
      for (const { visits: answered } of loads) {
        expect(answered.length).toBeGreaterThan(VISITS_A_SECOND);
        expect(answered.filter(({ status }) => status !== 200)).toEqual([]);
      }
      const { groups } = await prometheus.ask<{ groups: { rules: { name: string; health: string }[] }[] }>(
        'rules',
      );
      const rules = groups.flatMap(group => group.rules);
      expect(rules.length).toBeGreaterThan(25);
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    },
  );

  stackTest('no alarm fires in an hour in which nothing happens', LONG, async ({ stack, skip }) => {
    const promtool = engineFor('promtool', { skip });
    await visits(stack);
    const { sites, variables, folder } = stack;
    const headers = { authorization: `Bearer ${variables.OPS_TOKEN}` };
    const scrape = await (await fetch(`${sites[0]?.opsUrl}/metrics`, { headers })).text();
    const checked = spawnSync(promtool.command, ['check', 'metrics'], { input: scrape, encoding: 'utf8' });
    expect([checked.status, checked.stderr]).toEqual([0, '']);
    const file = path.join(folder, 'quiet.yml');
    await writeFile(file, stringify(quietHour(scrape), { aliasDuplicateObjects: false }));
    const { status, stdout, stderr } = spawnSync(promtool.command, ['test', 'rules', file], {
      env: promtool.env,
      encoding: 'utf8',
    });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

/** Visits each site once in each way that the dashboard shows. */
async function visits({ sites, backend, variables }: ComposedStack): Promise<void> {
  const page = backend.rows('page')[0];
  if (!page) throw new Error('The sample has no page');
  for (const { url } of sites) {
    for (const address of [
      '/',
      '/',
      '/about',
      '/search?q=cloud',
      '/no-such-page',
      '/uploads/cover-andes.svg',
    ])
      await sendRequest(url, address, { headers: AS_BROWSER });
    await postJson(url, '/api/email/send', { ...words(), page: '/' });
    await sendWebhook(url, variables.WEBHOOK_SECRET ?? '', entryEvent('entry.update', 'page', page));
  }
}

/** @returns a test for promtool: an hour in which each series keeps the value of a scrape. */
function quietHour(scrape: string): object {
  const series = scrape.split('\n').flatMap(line => {
    const [, name, labels = '', value = ''] = /^([a-z_\d]+)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    // The doctor finds real faults in the recorded content, ten seconds after the start.
    if (name === undefined || name === 'site_doctor_findings') return [];
    const place = `job="site", instance="site-1:9464"${labels === '' ? '' : `, ${labels}`}`;
    return [{ series: `${name}{${place}}`, values: `${plain(value)}x60` }];
  });
  expect(series.length).toBeGreaterThan(500);
  // The rules count a new series above 0 as an increase, and look back 15 minutes.
  const quiet = [20, 30, 40, 50, 60].map(minutes => ({
    expr: 'ALERTS{alertstate="firing"}',
    eval_time: `${minutes}m`,
    exp_samples: [],
  }));
  return {
    rule_files: [path.resolve(import.meta.dirname, '../../deploy/alerts.yml')],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: [{ series: 'up{job="site", instance="site-1:9464"}', values: '1x60' }, ...series],
        promql_expr_test: quiet,
      },
    ],
  };
}

/** @returns a number without an exponent, which promtool does not read. */
function plain(value: string): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  return Number.isInteger(number) ? String(number) : number.toFixed(9);
}
