import sparticuz from '@sparticuz/chromium';

/**
 * Unpacks the browser before the tests. If two workers unpacked it at the same time, one could start a
 * half-written file.
 */
export default async function setup(): Promise<void> {
  await sparticuz.executablePath();
}
