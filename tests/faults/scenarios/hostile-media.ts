import { readFileSync } from 'node:fs';
import { startFakeBackend } from '../../support/fake-backend.ts';
import { sendRequest } from '../../support/send-request.ts';
import { startBuiltSite } from '../built-site.ts';
import { HOSTILE_MEDIA } from '../hostile-media.ts';
import { untilNone } from '../stage.ts';

/** Interval between two readings of the memory, in ms. */
const READ_EVERY_MS = 10;

export interface HostileMediaOutcome {
  /** Statuses of the renditions of each file, by its name. */
  statuses: Record<string, number[]>;
  /** Files with an unexpected status. */
  wrong: string[];
  /** Pages that were not answered with 200 while pictures were scaled. */
  failedPages: number;
  /**
   * Peak resident memory of the site and its processes while each file was scaled, in bytes, by file name.
   */
  peaks: Record<string, number>;
  /** The highest peak, and its file. */
  peakBytes: number;
  peakAt: string;
}

/**
 * Requests renditions of every hostile file, two at once, and pages meanwhile. The site runs in a separate
 * process.
 */
export async function hostileMedia(): Promise<HostileMediaOutcome> {
  const backend = await startFakeBackend();
  const site = await startBuiltSite({ contentBaseUrl: backend.url });
  const statuses: Record<string, number[]> = {};
  let current = 'no file';
  const peaks: Record<string, number> = {};
  let failedPages = 0;
  const reader = setInterval(() => {
    peaks[current] = Math.max(peaks[current] ?? 0, bytesOfFamily(site.pid));
  }, READ_EVERY_MS);
  try {
    for (const [index, { name, bytes }] of HOSTILE_MEDIA.entries()) {
      const file = await bytes();
      const addresses = [1, 2].map(copy => `/uploads/hostile-${index}-${copy}.png`);
      for (const address of addresses)
        backend.on(
          address,
          (_req, res) => void res.writeHead(200, { 'Content-Type': 'image/png' }).end(file),
        );
      current = name;
      const page = sendRequest(site.url, '/about');
      statuses[name] = await Promise.all(addresses.map(src => renditionOf(site.url, src)));
      if ((await page).status !== 200) failedPages += 1;
    }
  } finally {
    clearInterval(reader);
    await site.dispose();
    await backend.close();
  }
  const wrong = HOSTILE_MEDIA.filter(({ name, statuses: expected }) =>
    statuses[name]?.some(status => !expected.includes(status)),
  ).map(({ name }) => `${name}: ${statuses[name]?.join(', ')}`);
  const [peakAt, peakBytes] = Object.entries(peaks).sort(([, a], [, b]) => b - a)[0] ?? ['', 0];
  return { statuses, wrong, failedPages, peaks, peakBytes, peakAt };
}

/** Requests a rendition until it is made or refused. Until then the response is a 302 to the original. */
async function renditionOf(base: string, src: string): Promise<number> {
  let last = 0;
  await untilNone(async () => {
    last = (await sendRequest(base, `/images/1920.avif?src=${src}`)).status;
    return last === 302 ? 1 : 0;
  }, 60_000);
  return last;
}

/** @returns the resident memory of a process and its children. Shared memory counts for each of them. */
function bytesOfFamily(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + bytesOfFamily(Number(child)), Number(kilobytes ?? 0) * 1024);
  } catch {
    // The process may just have ended.
    return 0;
  }
}
