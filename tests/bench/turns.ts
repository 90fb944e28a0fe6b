import path from 'node:path';
import type { BuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';

/** A module that a site is started with (`--import`), so that its turns can be read. */
export const TURN_PROBE = path.resolve(import.meta.dirname, 'turn-probe.ts');

/**
 * @returns a function that reads the longest turn of the event loop since the last reading, in ms of CPU
 *   time.
 */
export async function readTurns(site: Pick<BuiltSite, 'errors'>): Promise<() => Promise<number>> {
  const port = await eventually(() => {
    const [, found] = /turn probe: (\d+)/.exec(site.errors()) ?? [];
    if (!found) throw new Error('The probe has not started');
    return found;
  });
  return async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
}
