import type { Stats } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { decodeEntry } from '../cache/disk/entry-file.ts';
import { listFiles } from '../cache/disk/list-files.ts';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { writeFileAtomically } from '../cache/disk/write-file-atomically.ts';
import { messageId, OutboxFiles } from '../outbox/outbox-files.ts';

export interface DataFile {
  /** The path relative to the data folder. Its parts are separated by `/` on each system. */
  readonly name: string;
  readonly stats: Stats;
}

/** The folders that a site writes. An operator may keep other files, such as backups, beside them. */
export const FOLDERS = ['outbox', 'mail', 'backends', 'assets'];
/** A site counts as running for this time after its last note, in ms. It writes a note every 5 s. */
export const ALIVE_MS = 15_000;

const RECORD = /^backends\/[^/]+\/(?:pages|content|history|media|renditions|cards)\/(?:.+\/)?[\da-f]{64}$/;
export const MESSAGE = /^outbox\/(waiting|dead)\/([\da-f]{32})\.json$/;
const MAIL = /^mail\/[^/]+\.json$/;

export const isMessage = (name: string): boolean => MESSAGE.test(name) || MAIL.test(name);

export async function* walk(dataDir: string, folder: string): AsyncGenerator<DataFile, void> {
  const listing = listFiles(path.join(dataDir, folder));
  for (;;) {
    const batch = await unlessMissing(listing.next());
    if (batch === null || batch.done) return;
    for (const { name, stats } of batch.value) {
      const inside = `${folder}/${name}`;
      if (stats.isDirectory()) yield* walk(dataDir, inside);
      else yield { name: inside, stats };
    }
  }
}

async function* walkAll(dataDir: string): AsyncGenerator<DataFile, void> {
  for (const folder of FOLDERS) yield* walk(dataDir, folder);
}

export async function isRunning(dataDir: string): Promise<boolean> {
  const alive = await unlessMissing(stat(path.join(dataDir, 'outbox/alive')));
  return alive !== null && Date.now() - alive.mtimeMs < ALIVE_MS;
}

export async function checkData(dataDir: string) {
  const files = new OutboxFiles(dataDir, writeFileAtomically);
  const damaged: { name: string; reason: string }[] = [];
  let checked = 0;
  let unchecked = 0;
  for await (const { name } of walkAll(dataDir)) {
    const file = path.join(dataDir, name);
    const [, folder, id = ''] = MESSAGE.exec(name) ?? [];
    let check: (() => Promise<unknown>) | null = null;
    if (RECORD.test(name)) check = async () => decodeEntry(await readFile(file));
    else if (folder === 'waiting' || folder === 'dead') check = () => checkMessage(files, folder, id);
    else if (name.endsWith('.json')) check = async () => parse(await readFile(file, 'utf8'));
    if (check === null) {
      unchecked += 1;
      continue;
    }
    checked += 1;
    // A missing file is not damaged, because a running site removes and moves files.
    await unlessMissing(check()).catch((error: Error) => damaged.push({ name, reason: error.message }));
  }
  return { checked, unchecked, damaged };
}

async function checkMessage(files: OutboxFiles, folder: 'waiting' | 'dead', id: string): Promise<void> {
  const message = await files.read(folder, id);
  if (message && messageId(message.key) !== id) throw new Error('The file holds another message');
}

/** @throws an error that quotes nothing of the file, which may hold personal data. */
function parse(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw new Error('The file holds no JSON');
  }
}

/** @returns the sizes by kind of file, such as `outbox/waiting` or `backends/NAME/pages`. */
export async function sizesOf(dataDir: string) {
  const kinds = new Map<string, { files: number; bytes: number; at: number }>();
  for await (const { name, stats } of walkAll(dataDir)) {
    const kind = kindOf(name);
    const { files, bytes, at } = kinds.get(kind) ?? { files: 0, bytes: 0, at: Number.POSITIVE_INFINITY };
    kinds.set(kind, { files: files + 1, bytes: bytes + stats.size, at: Math.min(at, stats.mtimeMs) });
  }
  return Array.from(kinds, ([kind, { files, bytes, at }]) => {
    return { kind, files, bytes, oldest: new Date(at).toISOString() };
  });
}

function kindOf(name: string): string {
  const folders = path.posix.dirname(name).split('/');
  const kind = folders.slice(0, folders[0] === 'backends' ? 3 : 2).join('/');
  return folders.at(-1) === 'removed' ? `${kind}/removed` : kind;
}

/** Removes the records of a cache. Folders stay, because a site takes a removed folder for a lost one. */
export async function dropRecords(dataDir: string, cache: 'pages' | 'content'): Promise<number> {
  let dropped = 0;
  for await (const { name } of walk(dataDir, 'backends')) {
    if (!RECORD.test(name) || name.split('/')[2] !== cache || name.includes('/removed/')) continue;
    await rm(path.join(dataDir, name), { force: true });
    dropped += 1;
  }
  return dropped;
}
