import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

let backend: FakeBackend;
const running: BuiltSite[] = [];

beforeAll(async () => {
  backend = await startFakeBackend();
});
afterAll(async () => {
  await Promise.all(running.map(site => site.dispose()));
  await backend.close();
});

async function start(env: Record<string, string>): Promise<BuiltSite> {
  const site = await startBuiltSite({ contentBaseUrl: backend.url, env });
  running.push(site);
  return site;
}

describe('two processes', () => {
  it('two processes share a port with REUSE_PORT=on, and each response names its process', async () => {
    const one = await start({ REUSE_PORT: 'on', REPLICA_ID: 'a' });
    const { port } = new URL(one.url);
    const other = await start({ REUSE_PORT: 'on', REPLICA_ID: 'eu-1.b', PORT: port });
    const sites = { a: one, 'eu-1.b': other };

    // The operating system chooses the process of each connection.
    const seen = new Map<string, string>();
    await eventually(async () => {
      const answer = await sendRequest(one.url, '/about', { headers: AS_BROWSER });
      const [cache = '', ...parameters] = String(answer.headers['cache-status']).split('; ');
      seen.set(cache, parameters.at(-1) ?? '');
      expect([...seen.keys()].sort()).toEqual(['site/a', 'site/eu-1.b']);
    });
    for (const [replica, site] of Object.entries(sites)) {
      const state = (await sendRequest(site.opsUrl, '/readyz')).json<{ build: string; replica: string }>();
      expect(state.replica).toBe(replica);
      expect(seen.get(`site/${replica}`)).toBe(`detail="${state.build}"`);
      await eventually(() => expect(site.lines().map(({ code }) => code)).toContain('http-request'));
      for (const line of site.lines()) expect(line).toMatchObject({ replica, build: state.build });
      const { text } = await sendRequest(site.opsUrl, '/metrics');
      expect(text).toContain(`site_build_info{build="${state.build}",replica="${replica}"} 1`);
    }
  });

  it('without REUSE_PORT two processes cannot share a port, and the second one names that variable', async () => {
    const first = await start({});
    const { port } = new URL(first.url);
    await expect(start({ PORT: port })).rejects.toThrow(`PORT: another process has port ${port}`);
  });
});

describe('a process without REPLICA_ID', () => {
  it('a process without REPLICA_ID has no name in log entries and Cache-Status', async () => {
    const site = await start({});
    const { headers } = await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    expect(headers['cache-status']).toMatch(/^site; (?:hit|fwd)[^"]*$/);
    await eventually(() => expect(site.lines().map(({ code }) => code)).toContain('http-request'));
    for (const line of site.lines()) expect(Object.keys(line)).not.toContain('replica');
  });
});
