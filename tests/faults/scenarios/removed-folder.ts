import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { siteTypes } from '../../../site/types.ts';
import { startBuiltSite } from '../built-site.ts';
import { statusesOf } from '../client.ts';
import { askAll, onStage, type StageSizes, untilNone } from '../stage.ts';

export interface RemovedFolderOutcome {
  /** Pages that are not written again within the limit. */
  unwritten: number;
  /** The responses of the next process, whose backend is dead. */
  statuses: Record<number, number>;
}

/** Limit for the pages to be written again, in ms. The site looks at its folders every few seconds. */
const WRITTEN_WITHIN_MS = 15_000;
/** The files of the content that every page needs. Others may be written before them. */
const START_UP_CONTENT = [
  siteTypes.blog,
  siteTypes.category,
  siteTypes.author,
  siteTypes.settings,
  siteTypes.landing,
].map(({ path }) => createHash('sha256').update(path).digest('hex'));

/**
 * Removes the records of a running process, waits until it has written them again, and kills it. Visits to
 * `unseen` pages create the folders at once, before the site looks for removed ones.
 */
export async function removedFolder(sizes: StageSizes): Promise<RemovedFolderOutcome> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'removed-'));
  // Pages belong to their origin, and the port of each process differs.
  const env = { PUBLIC_URL: 'https://www.example.com' };
  try {
    return await onStage(sizes, { dataDir, env }, async stage => {
      const { backend, seen, site, unseen } = stage;
      const lacking = async () => Math.max(0, sizes.pages - (await stored(dataDir, 'pages')).length);
      await untilNone(lacking, WRITTEN_WITHIN_MS);
      await rm(path.join(dataDir, 'backends'), { recursive: true, maxRetries: 10, retryDelay: 20 });
      await askAll(site.url, unseen);
      const all = async () => sizes.pages + unseen.length - (await stored(dataDir, 'pages')).length;
      const { left: unwritten } = await untilNone(all, WRITTEN_WITHIN_MS);
      // The next process also needs the content of every page, which this one loads from the backend again.
      const content = async () => {
        const names = await stored(dataDir, 'content');
        return START_UP_CONTENT.filter(name => !names.includes(name)).length;
      };
      if ((await untilNone(content, WRITTEN_WITHIN_MS)).left > 0) throw new Error('Content is not written');
      await backend.fail('refuse');
      await site.end('SIGKILL');
      await site.dispose();
      stage.site = await startBuiltSite({
        contentBaseUrl: backend.url,
        dataDir,
        env: { CONTENT_TTL_MS: String(sizes.ttlMs), ...env },
      });
      return { unwritten, statuses: statusesOf(await askAll(stage.site.url, [...seen, ...unseen])) };
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** @returns the names of the records on disk, without drafts. */
async function stored(dataDir: string, kind: 'pages' | 'content'): Promise<string[]> {
  const files = await readdir(path.join(dataDir, 'backends'), { recursive: true }).catch(() => []);
  return files
    .filter(file => file.includes(`/${kind}/`) && /[/][0-9a-f]{64}$/.test(file))
    .map(file => path.basename(file));
}
