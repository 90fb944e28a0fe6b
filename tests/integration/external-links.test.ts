import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect } from 'vitest';
import { isPublicAddress } from '../../server/links/visit-address.ts';
import { article } from '../support/cms-files.ts';
import { cmsTest } from '../support/cms-test.ts';
import { close, listen } from '../support/listen.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

/** The names of the test's own network, with their addresses. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  'good.example': ['93.184.216.34'],
  'inside.example': ['10.0.0.7'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:127.0.0.1'],
};

interface Elsewhere {
  /** Requests as `METHOD host path`. */
  readonly asked: string[];
  /** Addresses and ports of connections. */
  readonly connected: string[];
  start(links: readonly string[]): Promise<RunningSite>;
}

const it = cmsTest.extend('elsewhere', async ({ cms }, { onCleanup }): Promise<Elsewhere> => {
  const asked: string[] = [];
  const connected: string[] = [];
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.headers.host} ${req.url}`);
    const [, status = '200', target] = /^\/(\d{3})(?:\/(.*))?$/.exec(req.url ?? '') ?? [];
    res.writeHead(Number(status), target ? { location: decodeURIComponent(target) } : {}).end();
  });
  const serverPort = Number(new URL(await listen(server)).port);
  const sites: RunningSite[] = [];
  onCleanup(async () => {
    await Promise.all(sites.map(site => site.close()));
    await close(server);
  });
  await cms.write('landing.json', JSON.stringify({ title: 'Landing' }));
  await cms.write('redirects.json', '[]');
  await cms.write('socials.json', '[]');
  const network = {
    async resolve(host: string) {
      const addresses = HOSTS[host];
      if (!addresses) throw Object.assign(new Error(host), { code: 'ENOTFOUND' });
      return addresses;
    },
    connect(address: string, port: number) {
      connected.push(`${address}:${port}`);
      return connect(serverPort, '127.0.0.1');
    },
  };
  return {
    asked,
    connected,
    async start(links) {
      const text = links.map(href => `[a](${href})`).join(' ');
      await cms.write('articles/links.md', article('title: Links\ncategory: guides', text));
      await cms.restart();
      const externalLinks = { network, visitEveryMs: 1 };
      const site = await startSite({ contentBaseUrl: cms.url, overrides: { externalLinks } });
      sites.push(site);
      await site.site.links.check();
      await site.site.links.settled();
      await site.site.links.check();
      return site;
    },
  };
});

const problemsOf = ({ site }: RunningSite) =>
  site.problems
    .newest(100)
    .filter(({ kind }) => kind.startsWith('link-'))
    .map(({ kind, reason }) => `${kind} ${reason}`)
    .sort();

describe('links to other sites', () => {
  it('external links are checked by HEAD, once for each address, and dead ones are reported', async ({
    elsewhere,
  }) => {
    const site = await elsewhere.start([
      ...['http://good.example/200', 'http://good.example/200#part', 'http://good.example/404'],
      ...['http://good.example/410', 'http://good.example/403', 'http://nobody.example/'],
      ...['http://good.example/301//200', 'http://good.example/302//404', 'http://good.example:8080/404'],
      'https://good.example/404',
    ]);
    expect(problemsOf(site)).toEqual([
      "link-dead the link to 'http://good.example/302//404': good.example answers 404",
      "link-dead the link to 'http://good.example/404': good.example answers 404",
      "link-dead the link to 'http://good.example/410': good.example answers 410",
      "link-dead the link to 'http://nobody.example/': there is no host nobody.example",
      "link-moved the link to 'http://good.example/301//200': it leads to http://good.example/200 for good: link to that",
    ]);
    expect(elsewhere.asked.filter(line => line === 'HEAD good.example /410')).toHaveLength(1);
    expect(elsewhere.asked.every(line => line.startsWith('HEAD '))).toBe(true);
    expect(new Set(elsewhere.connected)).toEqual(new Set(['93.184.216.34:80', '93.184.216.34:443']));
  });

  it('external links never lead the site to a private address, even by a redirect', async ({ elsewhere }) => {
    const site = await elsewhere.start([
      ...['http://127.0.0.1/404', 'http://[::1]/404', 'http://inside.example/404', 'http://both.example/404'],
      ...['http://metadata.example/404', 'http://mapped.example/404', 'http://2130706433/404'],
      ...['http://0x7f.1/404', 'ftp://good.example/404', 'http://good.example:22/404'],
      `http://good.example/302/${encodeURIComponent('http://inside.example/404')}`,
      `http://good.example/302/${encodeURIComponent('http://good.example:8080/404')}`,
    ]);
    expect(problemsOf(site)).toEqual([]);
    expect(elsewhere.connected).toEqual(['93.184.216.34:80', '93.184.216.34:80']);
    expect(elsewhere.asked.every(line => line.startsWith('HEAD good.example /302/'))).toBe(true);
  });

  it.each([
    ['93.184.216.34', true],
    ['2606:2800:220:1:248:1893:25c8:1946', true],
    ['100.64.0.1', false],
    ['192.168.1.1', false],
    ['255.255.255.255', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['::ffff:93.184.216.34', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['2001:db8::1', false],
    ['good.example', false],
  ])('the address %s is public: %s', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });
});
