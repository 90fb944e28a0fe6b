import { startBuiltSite } from '../faults/built-site.ts';
import { ask } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { SERVER_CORE } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { median } from './load.ts';

/** Measures the time from the start of the process to its first page. The backend answers at once. */
export async function measureStart(sizes: BenchSizes, report: Report): Promise<void> {
  const backend = await startFaultyBackend(20);
  const times: number[] = [];
  try {
    for (let start = 0; start < sizes.starts; start += 1) {
      const from = performance.now();
      const site = await startBuiltSite({
        contentBaseUrl: backend.url,
        ...(SERVER_CORE === undefined ? {} : { core: SERVER_CORE }),
        unready: true,
      });
      try {
        const { status } = await ask(site.url, '/');
        if (status !== 200) throw new Error(`The first answer is ${status}`);
        times.push(performance.now() - from);
      } finally {
        await site.dispose();
      }
    }
  } finally {
    await backend.close();
  }
  report({
    name: 'first 200 after the start of the process',
    value: median(times),
    unit: 'ms',
    target: { atMost: 400 },
    errors: 0,
    details: { times },
  });
}
