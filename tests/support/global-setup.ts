import { browserPath } from './find-browser.ts';

/**
 * Unpacks the browser before the tests. If two workers unpacked it at the same time, one could start a
 * half-written file. Tests without a browser run on a machine without one.
 */
export default async function setup(): Promise<void> {
  await browserPath().catch(() => {});
}
