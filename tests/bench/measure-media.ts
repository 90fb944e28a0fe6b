import { hostileMedia } from '../faults/scenarios/hostile-media.ts';
import type { BenchSizes, Report } from './figures.ts';

const MEGABYTE = 1024 * 1024;
const MAX_MEGABYTES = 600;

/** Measures the memory of all processes of the site while hostile pictures are scaled, two at once. */
export async function measureMedia(_sizes: BenchSizes, report: Report): Promise<void> {
  const { peakBytes, peakAt, wrong, failedPages, statuses } = await hostileMedia();
  report({
    name: `memory of all processes under hostile pictures (most: ${peakAt})`,
    value: peakBytes / MEGABYTE,
    unit: 'MB',
    target: { atMost: MAX_MEGABYTES },
    errors: wrong.length + failedPages,
    details: { peakAt, wrong, failedPages, statuses },
  });
}
