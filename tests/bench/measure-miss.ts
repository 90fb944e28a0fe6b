import { ask } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import type { BenchSizes, Report } from './figures.ts';
import { median } from './load.ts';
import { OPS_TOKEN, startSite } from './measured-site.ts';

/** Measures a miss whose content is not cached, with a backend that needs 80 ms for each call. */
export async function measureMiss(sizes: BenchSizes, report: Report): Promise<void> {
  const latencyMs = 80;
  const misses = sizes.starts * 4;
  const backend = await startFaultyBackend(misses + 6);
  const site = await startSite(backend);
  try {
    const [warm, ...paths] = backend.articles.map(article => article.path);
    // Warm up the code, and cache the content that all pages share.
    for (const path of [warm ?? '/', ...paths.slice(0, 5)]) await ask(site.url, path);
    backend.latencyMs = latencyMs;
    const times: number[] = [];
    let repeated = 0;
    let calls = 0;
    for (const path of paths.slice(5)) {
      backend.forgetCalls();
      times.push((await ask(site.url, path)).firstByteMs);
      calls += backend.calls.size;
      repeated += [...backend.calls.values()].filter(times => times > 1).length;
    }
    report({
      name: 'one miss, backend of 80 ms: first byte',
      value: median(times),
      unit: 'ms',
      target: { atMost: 95 },
      errors: repeated,
      details: { times, calls, repeated },
    });
    // Invalidate all content before each request, as for the first visitor after a quiet hour.
    const cold: number[] = [];
    let coldRepeated = 0;
    for (const path of paths.slice(5, 5 + sizes.starts)) {
      await fetch(`${site.opsUrl}/cache?tag=*`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${OPS_TOKEN}` },
      });
      backend.forgetCalls();
      cold.push((await ask(site.url, `${path}/_payload.json`)).firstByteMs);
      coldRepeated += [...backend.calls.values()].filter(times => times > 1).length;
    }
    report({
      name: 'one miss with all content invalidated: first byte',
      value: median(cold),
      unit: 'ms',
      target: null,
      errors: coldRepeated,
      details: { times: cold },
    });
  } finally {
    await site.dispose();
    await backend.close();
  }
}
