import { describe, expect, it, onTestFinished } from 'vitest';
import { startBuiltSite } from '../faults/built-site.ts';
import { startCollector } from '../support/collector.ts';

async function startSite(env: Readonly<Record<string, string>>) {
  const site = await startBuiltSite({ env: { CONTENT: 'embedded', ...env } });
  onTestFinished(site.dispose);
  return site;
}

describe('the built site with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('the process sends its last spans before it ends', async () => {
    const collector = await startCollector();
    onTestFinished(() => collector.close());
    const site = await startSite({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect((await fetch(`${site.url}/about`)).status).toBe(200);
    expect((await site.end('SIGTERM')).code).toBe(0);
    expect(collector.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['GET page', 'render', 'GET /api/pages']),
    );
    expect(site.errors()).toBe('');
  });

  it('the process answers and ends while the collector is absent', async () => {
    const site = await startSite({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    expect((await fetch(`${site.url}/about`)).status).toBe(200);
    expect((await site.end('SIGTERM')).code).toBe(0);
    expect(site.errors()).toBe('');
  });
});
