import { sendRequest } from './send-request.ts';
import type { RunningSite } from './start-site.ts';

/** @returns reads of content by their outcome, from `/metrics`. */
async function contentReads({ opsUrl }: RunningSite): Promise<Record<string, number>> {
  const { text } = await sendRequest(opsUrl, '/metrics');
  const lines = text.matchAll(/^site_content_reads_total\{outcome="([\w-]+)"\} (\d+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, outcome = '', times]) => [outcome, Number(times)]));
}

/** @returns the reads that the work has added. */
export async function readsOf(
  site: RunningSite,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await contentReads(site);
  await work();
  const after = await contentReads(site);
  return Object.fromEntries(
    Object.entries(after)
      .map(([outcome, times]) => [outcome, times - (before[outcome] ?? 0)] as const)
      .filter(([, times]) => times > 0),
  );
}
