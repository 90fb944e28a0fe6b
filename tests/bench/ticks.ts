import path from 'node:path';
import type { BuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';

/** Module that makes the ticks of a site readable. Pass it to `--import`. */
export const TICK_PROBE = path.resolve(import.meta.dirname, 'tick-probe.ts');

/** @returns a function that reads the longest tick since the last reading, in ms of CPU time. */
export async function readTicks(site: Pick<BuiltSite, 'errors'>): Promise<() => Promise<number>> {
  const port = await eventually(() => {
    const [, found] = /tick probe: (\d+)/.exec(site.errors()) ?? [];
    if (!found) throw new Error('The probe has not started');
    return found;
  });
  return async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
}
