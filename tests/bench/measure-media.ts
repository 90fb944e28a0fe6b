import { hostileMedia } from '../faults/scenarios/hostile-media.ts';
import type { BenchSizes, Report } from './figures.ts';

const MEGABYTE = 1024 * 1024;
const MAX_MEGABYTES = 600;

/** Measures the memory of all site processes while hostile pictures are scaled, two at once. */
export async function measureMedia(_sizes: BenchSizes, report: Report): Promise<void> {
  const { peaks, wrong, failedPages, statuses } = await hostileMedia();
  for (const [name, bytes] of Object.entries(peaks))
    report({
      name: `memory of all processes: ${name}`,
      value: bytes / MEGABYTE,
      unit: 'MB',
      target: { atMost: MAX_MEGABYTES },
      errors: wrong.filter(line => line.startsWith(`${name}:`)).length + failedPages,
      details: { statuses: statuses[name], failedPages },
    });
}
