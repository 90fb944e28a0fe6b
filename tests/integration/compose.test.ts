import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { runSmoke, stackTest } from '../support/composed-stack.ts';
import { entryEvent, sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { close, listen } from '../support/listen.ts';
import { patient } from '../support/patience.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const LONG = { timeout: patient(120_000) };

describe('deploy/compose.yaml', () => {
  stackTest('the services work together as processes, and pass the smoke test', LONG, async ({ stack }) => {
    const { sites, backend, publicUrl, variables, prometheus } = stack;
    const headers = { authorization: `Bearer ${variables.OPS_TOKEN}` };
    // The sites find both stores, accept their policies, and see each other.
    for (const { opsUrl, lines } of sites) {
      expect(lines().find(({ code }) => code === 'shared-store-connected')).toMatchObject({
        level: 'info',
        policy: 'volatile-lru',
        maxBytes: 256 * 1024 * 1024,
      });
      expect(await (await fetch(`${opsUrl}/readyz`)).json()).toMatchObject({ queue: 'up' });
      await eventually(async () => {
        const answer = await fetch(`${opsUrl}/replicas`, { headers });
        expect((await answer.json()) as object).toMatchObject({ replicas: [{}, {}, {}] });
      });
    }

    // All sites show a change that the CMS reports to only one of them.
    const page = backend.rows('page').find(({ attributes }) => attributes.slug === 'about');
    if (!page) throw new Error('The sample has no page "about"');
    const shown = async (url: string) => (await sendRequest(url, '/about', { headers: AS_BROWSER })).text;
    for (const { url } of sites) expect(await shown(url)).not.toContain('A new heading');
    page.attributes.h1 = 'A new heading';
    const event = entryEvent('entry.update', 'page', page);
    const { status } = await sendWebhook(sites[0]?.url ?? '', variables.WEBHOOK_SECRET ?? '', event);
    expect(status).toBe(200);
    for (const { url } of sites)
      await eventually(async () => expect(await shown(url)).toContain('A new heading'));

    const { code, output } = await runSmoke(publicUrl);
    expect([code, output]).toEqual([0, expect.stringMatching(/, 0 failed\n$/)]);
    expect(Number(/(\d+) addresses/.exec(output)?.[1])).toBeGreaterThanOrEqual(20);

    // Prometheus reads each site with the token.
    await eventually(async () => {
      const found = await prometheus.query('up{job="site"}');
      expect(found.map(({ value }) => value[1])).toEqual(['1', '1', '1']);
    });
  });
});

describe('npm run smoke', () => {
  it('the smoke test fails for a server that is not the site, and says why', async () => {
    const server = createServer((_req, res) => res.end('<h1>Hello</h1>'));
    const { code, output } = await runSmoke(await listen(server)).finally(() => close(server));
    expect(code).toBe(1);
    expect(output).toMatch(/^FAIL home .* GET \/$/m);
    expect(output).toContain('content-security-policy: is missing');
    expect((await runSmoke('no-address')).code).toBe(2);
  });
});
