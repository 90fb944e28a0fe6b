import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { namedTypes } from '../../server/wire/described-types.ts';
import { startBuiltSite } from '../faults/built-site.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing, startFakeBackend } from '../support/fake-backend.ts';
import { close } from '../support/listen.ts';
import { outboxTest as it, SEND } from '../support/outbox-test.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { assembleSite, type RunningSite } from '../support/start-site.ts';

const TOKEN = 'a-token-of-the-operators';
const DAY_MS = 24 * 60 * 60 * 1_000;
const SIGNED_IN = { authorization: `Bearer ${TOKEN}` };

const look = (site: RunningSite, headers: Record<string, string> = {}, path = '/') =>
  sendRequest(site.opsUrl, path, { headers });

function post(
  site: Pick<RunningSite, 'opsUrl'>,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { ...SIGNED_IN, origin: site.opsUrl },
): Promise<Answer> {
  return sendRequest(site.opsUrl, path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

const act = (site: Pick<RunningSite, 'opsUrl'>, action: string, target = '') =>
  post(site, '/act', { action, target, confirmed: 'yes' });
const codes = (site: RunningSite) => site.log.map(({ code }) => code);

/** @returns the sections by id, in the order of the page. */
function sectionsIn(text: string): { sections: Record<string, string>; text: string } {
  const found = text.matchAll(/<section id="([\w-]+)"(.*?)<\/section>/gs);
  return { sections: Object.fromEntries(Array.from(found, ([, id, shown]) => [id, shown])), text };
}

describe('the ops page', () => {
  it('the ops page says whether the site works, and names the reasons if it does not fully', async ({
    start,
  }) => {
    const cms = await startFakeBackend();
    const site = await start({ contentBaseUrl: cms.url });
    const { text, headers } = await look(site);
    expect(text).toContain('The site works.');
    expect(text).toContain('<dt>Layout shift (CLS)</dt><dd>–</dd>');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    await cms.close();
    await sendRequest(site.url, '/no-such-page');
    const reason = await eventually(async () => {
      const [verdict, first = ''] = (await look(site)).text.split('class="reason"');
      expect(verdict).toContain('The site works, but …</p>');
      expect(first).toMatch(/<dt>Remedy<\/dt><dd>Repair the CMS/);
      return first;
    });
    expect(reason).toMatch(/<dt>Since<\/dt><dd><time datetime="[^"]+"/);
    expect(reason).toMatch(/<dt>Visitors notice<\/dt><dd>Pages that were stored are answered/);
    const [, fragment = ''] = /href="\/runbook#([\w-]+)"/.exec(reason) ?? [];
    const { text: runbook } = await look(site, {}, '/runbook');
    expect(runbook).toContain(`<h2 id="${fragment}">The CMS is down</h2>`);
  });

  it('the sections of the ops page have a fixed order, each with its figures', async ({ start }) => {
    const env = {
      ...{
        OPS_TOKEN: TOKEN,
        WEBHOOK_SECRET: 'a-secret-of-the-webhook',
        PROBLEMS_TOKEN: 'a-token-of-the-panel',
        SUBSCRIBE_SECRET: 'a-secret-of-the-newsletter-long-enough',
        CONTENT_HEADERS: '{"X-Edge-Key":"edge-8a6d20c4ee"}',
      },
      ...{ TRUST_PROXY: 'loopback', PUBLIC_URL: 'https://www.example.com' },
    };
    const site = await start({ env });
    const proxied = { via: '1.1 proxy', 'x-forwarded-for': '192.0.2.9', 'x-forwarded-proto': 'https' };
    for (const path of ['/terms', '/terms', '/no/such/page'])
      await sendRequest(site.url, path, { headers: { ...AS_BROWSER, ...proxied } });
    await sendWebhook(site.url, env.WEBHOOK_SECRET, { event: 'trigger-test' });
    await sendRequest(site.url, '/subscribe/leave?token=forged', { headers: { ...AS_BROWSER, ...proxied } });
    await sendRequest(site.url, '/api/problems', { headers: { authorization: 'Bearer wrong', ...proxied } });
    const error = { where: 'render', name: 'Error', message: 'the words of a visitor' };
    await sendRequest(site.url, '/client-errors', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...proxied },
      body: JSON.stringify(error),
    });
    await act(site, 'examine');
    await look(site);
    const { sections, text } = await eventually(async () => {
      const found = sectionsIn((await look(site, SIGNED_IN)).text);
      expect(found.sections.storage).toMatch(/>content<\/th><td[^>]*>[\d.]+ MiB<\/td><td[^>]*>[\d,]+ MiB</);
      return found;
    });
    expect(Object.keys(sections)).toEqual([
      ...['verdict', 'visitors', 'cms', 'messages', 'storage', 'replicas', 'front', 'limits', 'secrets'],
      ...['warnings', 'actions', 'real-visitors', 'plots'],
    ]);
    const fact = (id: string, name: string) =>
      new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`).exec(sections[id] ?? '')?.[1];
    expect(fact('visitors', 'Pages')).toMatch(/hit 1/);
    expect(fact('visitors', 'Answers 404')).toBe('2');
    for (const name of ['Answers 429', 'Answers 503', 'Half of the answers within', 'Oldest content shown'])
      expect(fact('visitors', name), name).toMatch(/\d/);
    for (const name of ['Last good call', 'Examined by the doctor'])
      expect(fact('cms', name), name).toMatch(/^<time /);
    for (const name of ['Last failed call', 'Last event', 'Last sweep'])
      expect(fact('cms', name), name).toMatch(/^<time |never since the start/);
    expect(fact('storage', 'Free')).toMatch(/^[\d,]+ MiB$/);
    expect(fact('front', 'Its headers of proxies')).toBe('via, x-forwarded-for, x-forwarded-proto');
    expect(fact('front', 'PUBLIC_URL')).toBe('https, which fits');
    expect(fact('limits', 'Connections')).toMatch(/^\d+ of [\d,]+$/);
    expect(sections.secrets).toMatch(/>WEBHOOK_SECRET<\/th><td[^>]*>yes<\/td><td[^>]*><time /);
    expect(sections.secrets).toMatch(
      />PROBLEMS_TOKEN<\/th><td[^>]*>yes<\/td><td[^>]*>.*?never.*?<td[^>]*><time /,
    );
    const secret = (name: string) =>
      new RegExp(`>${name}</th>(.*?)</tr>`).exec(sections.secrets ?? '')?.[1]?.replaceAll(/<[^>]+>/g, ' ');
    expect(secret('CONTENT_HEADERS')).toMatch(/^ +yes +\d+ \w+ ago , \d+ in all +never since the start/);
    expect(secret('SUBSCRIBE_SECRET')).toMatch(/^ +yes +never since the start +\d+ \w+ ago/);
    expect(secret('OUTBOX_URL')).toMatch(/^ +no/);
    expect(sections.plots?.match(/<svg /g)).toHaveLength(8);
    expect(sections.warnings).toContain('browser-error</th>');
    for (const value of [...Object.values(env).slice(0, 4), 'edge-8a6d20c4ee', '192.0.2.9', error.message])
      expect(text).not.toContain(value);
  });

  it('the ops page shows the remedy of a failed start, and groups types with one cause', async ({
    backend,
    start,
  }) => {
    for (const [, { path }] of namedTypes) backend.on(`/api/${path}`, failing(401, 'UnauthorizedError'));
    const site = await start();
    const reasons = await eventually(async () => {
      const [verdict = ''] = (await look(site)).text.split('</section>');
      expect(verdict).toContain('The site does not work.');
      const [, ...blocks] = verdict.split('class="reason"');
      expect(blocks.length).toBeGreaterThan(1);
      return blocks;
    });
    const [first = '', ...others] = reasons;
    expect(first).toContain('The content of the start is missing');
    expect(first).toMatch(/<dt>Visitors notice<\/dt><dd>Every page is a 503/);
    expect(first).toMatch(/<dt>Remedy<\/dt><dd>Set CONTENT_TOKEN to [^<]+\.<\/dd>/);
    expect(others.join('')).not.toContain('Visitors notice');
    const titles = reasons.flatMap(block => /<h3>(.+?)(?=: |<)/.exec(block)?.[1] ?? []);
    expect(titles).toEqual([...new Set(titles)]);
    expect(others.join('')).toMatch(/<h3>The CMS refuses a content type: (?=.*settings)(?=.*authors)/);
  });

  it('the ops page has one entry for all types that the CMS refuses by one status', async ({
    backend,
    start,
  }) => {
    const site = await start({ env: { OPS_TOKEN: TOKEN } });
    await act(site, 'purge', '*');
    for (const [, { path }] of namedTypes) backend.on(`/api/${path}`, failing(403, 'Forbidden'));
    for (const page of ['/', '/blog', '/about']) await sendRequest(site.url, page);
    await eventually(async () => {
      const { text } = await look(site);
      const titles = Array.from(text.matchAll(/<h3>The CMS refuses a content type: ([^<]+)/g), ([, t]) => t);
      expect([titles.length, titles[0]?.includes(', ')]).toEqual([1, true]);
      expect(text).toMatch(/<dt>Remedy<\/dt><dd>Strapi: [^<]+ → allow find; the same for the other types\.</);
    });
  });

  it('the ops page of a stopping process says that it stops on purpose', async ({ start }) => {
    const site = await start();
    site.site.readiness.drain();
    const { text } = await look(site);
    expect(text).toContain('The site is stopping, on purpose.');
    expect(text).not.toContain('does not work');
  });

  it('the runbook is rendered, and each link within it has a target', async ({ start }) => {
    const { text } = await look(await start(), {}, '/runbook');
    const ids = new Set(Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
    const links = Array.from(text.matchAll(/ href="#([^"]+)"/g), ([, id]) => id);
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter(id => !ids.has(id))).toEqual([]);
    expect(Array.from(text.matchAll(/ href="((?!#|\/"|data:)[^"]*)"/g), ([, href]) => href)).toEqual([]);
    expect(text).not.toMatch(/\*\*|^\||^```|<pre>[^<]*\|/m);
    expect(text.match(/<table>/g)?.length).toBeGreaterThan(10);
  });

  it('the ops page shows the code of an unwritable disk, and to operators its folder', async ({
    dataDir: parent,
    start,
  }) => {
    const file = path.join(parent, 'a-file');
    await writeFile(file, '');
    const dataDir = path.join(file, 'data');
    const site = await start({ env: { OPS_TOKEN: TOKEN }, dataDir });
    await site.site.diskHealth.probe();
    const row = async (headers = {}) =>
      /<dt>Error<\/dt><dd>(.*?)<\/dd>/.exec((await look(site, headers)).text);
    expect((await row())?.[1]).toBe('ENOTDIR');
    expect((await row(SIGNED_IN))?.[1]).toContain(`DATA_DIR is ${dataDir}, the user is `);
    expect((await look(site)).text).toContain('<dt>Remedy</dt><dd>Remove the file that is in the place');
    expect((await look(site)).text).not.toContain(dataDir);
  });

  it('the ops page has no form, button, address or id without OPS_TOKEN', async ({
    backend,
    start,
    leave,
  }) => {
    const id = messageId(await leave('dead', DAY_MS));
    const site = await start();
    await eventually(async () =>
      expect((await look(site)).text).toMatch(
        /Messages could not be delivered<\/h3><dl><dt>Last<\/dt><dd><time /,
      ),
    );
    const { text } = await look(site);
    for (const part of ['<form', '<button', '<input', backend.url, new URL(backend.url).host, id.slice(0, 8)])
      expect(text).not.toContain(part);
    for (const path of ['/sign-in', '/sign-out', '/act'])
      expect((await post(site, path, { token: TOKEN, action: 'drain', target: '' })).status).toBe(404);
  });

  it('operators sign in with OPS_TOKEN, and get a cookie only for this site', async ({ start }) => {
    const site = await start({ env: { OPS_TOKEN: TOKEN } });
    const own = { origin: site.opsUrl };
    expect((await look(site)).text).toContain('action="/sign-in"');
    expect((await look(site)).text).not.toContain('action="/act"');
    const wrong = await post(site, '/sign-in', { token: `${TOKEN}x` }, own);
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined]);
    const right = await post(site, '/sign-in', { token: TOKEN }, own);
    const [cookie = ''] = right.headers['set-cookie'] ?? [];
    expect(right.status).toBe(303);
    expect(cookie).toMatch(/^ops=[^;]+; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(TOKEN);
    const [pair = ''] = cookie.split(';');
    expect((await look(site, { cookie: pair })).text).toContain('action="/act"');
    for (const forged of ['ops=operator', `${pair}x`, pair.replace(/\.\d+\./, '.9999999999.')])
      expect((await look(site, { cookie: forged })).text).not.toContain('action="/act"');
    expect(codes(site)).toEqual(expect.arrayContaining(['ops-sign-in-refused', 'ops-signed-in']));
    expect(JSON.stringify(site.log)).not.toContain(TOKEN);
  });

  it('the ops page refuses POST requests from other sites, other ports, and browsers that are not signed in', async ({
    start,
  }) => {
    const site = await start({ env: { OPS_TOKEN: TOKEN } });
    const fields = { action: 'purge', target: '*', confirmed: 'yes' };
    for (const headers of [
      { ...SIGNED_IN, origin: 'https://elsewhere.example' },
      { ...SIGNED_IN, origin: site.url },
      { ...SIGNED_IN, origin: 'null' },
      { ...SIGNED_IN, 'sec-fetch-site': 'same-site' },
    ])
      expect((await post(site, '/act', fields, headers)).status).toBe(403);
    expect((await post(site, '/act', fields, { origin: site.opsUrl })).status).toBe(401);
    expect(codes(site)).toContain('ops-cross-site');
    expect(codes(site)).not.toContain('ops-action');
  });

  it('each action asks for confirmation, and is logged', async ({ start }) => {
    const site = await start({ env: { OPS_TOKEN: TOKEN } });
    await sendRequest(site.url, '/terms');
    const isFresh = () => Array.from(site.site.pages.entries(), ({ isFresh }) => isFresh);
    await eventually(() => expect(isFresh()).toEqual([true]));
    const asked = await post(site, '/act', { action: 'purge', target: '<script>"*' });
    expect(asked.text).toContain('with the tag “&lt;script&gt;&quot;*” stale');
    expect(asked.text).toContain('name="target" value="&lt;script&gt;&quot;*"');
    await post(site, '/act', { action: 'purge', target: '*' });
    expect([isFresh(), codes(site).includes('ops-action')]).toEqual([[true], false]);
    expect((await act(site, 'purge', '*')).headers.location).toBe('/#actions');
    expect(isFresh()).toEqual([false]);
    expect(site.log.find(({ code }) => code === 'ops-action')).toMatchObject({
      ...{ action: 'purge', target: '*', outcome: 'done' },
    });
    expect((await look(site, SIGNED_IN)).text).toMatch(/in all replicas and CDNs: <strong>done<\/strong>/);
    for (const name of ['toString', '', 'none']) expect((await act(site, name)).status).toBe(400);
  });

  it('operators retry and delete dead letters, and see the error message of the CMS', async ({
    backend,
    start,
    leave,
    names,
    emails,
  }) => {
    backend.on(SEND, failing(422));
    const keys = [await leave('waiting', 1_000), await leave('waiting', 1_000)];
    const [first = '', second = ''] = keys.map(messageId);
    const site = await start({ env: { OPS_TOKEN: TOKEN } });
    await eventually(async () => expect(await names('dead')).toHaveLength(2));
    const { text } = await look(site, SIGNED_IN);
    expect(text).toMatch(new RegExp(`${first.slice(0, 8)}</th><td[^>]*><strong>dead</strong>.*answered 422`));
    for (const key of keys) expect(text).not.toContain(key);
    backend.reset();
    await act(site, 'erase', second);
    expect(await names('dead')).toEqual([`${first}.json`]);
    await act(site, 'retry', first);
    await eventually(() => expect(emails()).toEqual([`${keys[0]}@example.com`]));
  });

  it('operators change the log level for a while, and the page groups the warnings', async ({ start }) => {
    const site = await start({
      env: { OPS_TOKEN: TOKEN, LOG_LEVEL: 'info', PUBLIC_URL: 'https://site.example' },
    });
    for (const host of ['"><b>one', 'two.example', 'three.example'])
      await sendRequest(site.url, '/', { headers: { host } });
    const open = await look(site);
    expect(open.text).toMatch(/http-host-refused<\/th><td[^>]*>3<\/td>/);
    expect(open.text).not.toContain('three.example');
    const { text } = await look(site, SIGNED_IN);
    expect(text).toContain('&quot;&gt;&lt;b&gt;one, two.example, three.example');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await act(site, 'level', 'debug');
    const { text: later } = await look(site, SIGNED_IN);
    expect(later).toContain('<option selected>debug</option>');
    expect(later).toMatch(/is debug until <time [^>]+>\d\d:\d\d UTC<\/time>, then info\.</);
    vi.advanceTimersByTime(10 * 60_000);
    const { text: after } = await look(site, SIGNED_IN);
    expect(after).toContain('<option selected>info</option>');
    expect(after).not.toContain('The level of the log is');
    vi.useRealTimers();
    await act(site, 'level', 'loud');
    expect((await look(site, SIGNED_IN)).text).toContain('<strong>the level is unknown</strong>');
  });

  it('an operator stops the process as SIGTERM does', async ({ backend }) => {
    const site = await startBuiltSite({ contentBaseUrl: backend.url, env: { OPS_TOKEN: TOKEN } });
    const ended = once(site.child, 'exit');
    expect((await act(site, 'drain')).status).toBe(303);
    expect(await ended).toEqual([0, null]);
    expect(site.lines().map(({ code }) => code)).toEqual(
      expect.arrayContaining(['ops-action', 'stop-draining', 'stop-done']),
    );
    await site.dispose();
  });

  it('other machines see the page only after signing in', async ({ backend }) => {
    const addresses = Object.values(networkInterfaces()).flatMap(found => found ?? []);
    const { address } = addresses.find(({ internal, family }) => !internal && family === 'IPv4') ?? {};
    if (address === undefined) throw new Error('This machine has no address of its own in a network');
    for (const env of [{}, { OPS_TOKEN: TOKEN }]) {
      const assembled = await assembleSite({ contentBaseUrl: backend.url, env: { ...env } });
      const server = createServer(assembled.opsListener);
      await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve));
      const url = `http://${address}:${(server.address() as AddressInfo).port}`;
      for (const path of ['/', '/runbook']) {
        const { status, text } = await sendRequest(url, path);
        expect([path, status]).toEqual([path, 'OPS_TOKEN' in env ? 401 : 403]);
        expect(text.includes('action="/sign-in"')).toBe('OPS_TOKEN' in env);
        expect(text).not.toContain('<section');
        const signedIn = await sendRequest(url, path, { headers: SIGNED_IN });
        expect(signedIn.text.includes('<section')).toBe('OPS_TOKEN' in env);
      }
      await close(server);
      await assembled.close();
    }
  });
});
