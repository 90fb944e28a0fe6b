import sparticuz from '@sparticuz/chromium';

/** Unpacks the browser once: two workers that unpack it at the same time would start a half-written file. */
export default async function setup(): Promise<void> {
  await sparticuz.executablePath();
}
