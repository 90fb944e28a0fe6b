import { createReadStream } from 'node:fs';
import {
  lstat,
  lutimes,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { syncFolder, writeFileAtomically } from '../cache/disk/write-file-atomically.ts';
import { NamedError } from '../ops/named-error.ts';
import { ALIVE_MS, type DataFile, FOLDERS, isMessage, MESSAGE, walk } from './data-files.ts';

/** A line of a backup, which is compressed JSON Lines. The last line has the number of the others. */
const entrySchema = z.object({
  name: z
    .string()
    .refine(name => FOLDERS.includes(name.split('/')[0] ?? '') && path.posix.normalize(name) === name),
  mtimeMs: z.number(),
  bytes: z.string(),
  target: z.string().nullable(),
});
type Entry = z.infer<typeof entrySchema>;
const lineSchema = z.union([entrySchema, z.object({ end: z.int() })]);

export class DamagedBackupError extends NamedError {
  constructor(options?: ErrorOptions) {
    super('The file is no whole backup', options);
  }
}

/** Files that no backup has: leases and drafts belong to a process, and the search rebuilds its index. */
const NEVER = /^outbox\/(?:leases|drafts)\/|\.part$|^backends\/[^/]+\/search\//;
/**
 * Files of `backends` that every backup has. Some records distinguish an emptied CMS from an edited one.
 * Others are the history of what the site has shown, and removed content, which can be restored for a day.
 */
const STATE = /^backends\/[^/]+\/(?:[^/]+\.json$|content\/[^/]+\/removed\/|history\/)/;
/** The folder into which `restore` unpacks. It has the structure of the data folder. */
const DRAFT = 'restore.part';
/** `restore` renames DRAFT to this when it is complete, and then moves its files to their places. */
const READY = 'restore.ready';

export async function backUp(dataDir: string, file: string, isWhole: boolean) {
  const counts = { messages: 0, files: 0 };
  async function* lines(): AsyncGenerator<string, void> {
    for await (const entry of entriesToKeep(dataDir, isWhole)) {
      counts.files += 1;
      if (isMessage(entry.name)) counts.messages += 1;
      yield `${JSON.stringify(entry)}\n`;
    }
    yield `${JSON.stringify({ end: counts.files })}\n`;
  }
  // Use one pipeline: it rejects with the disk's error, after the unfinished file was removed.
  await pipeline(lines, createGzip(), chunks =>
    writeFileAtomically(path.resolve(file), chunks, { durable: true, mode: 0o600 }),
  );
  return counts;
}

/**
 * Reads the folders in an order that loses no message while a running site moves messages. A message may go
 * from `dead` back to `waiting`, so both are read twice. The site writes a copy to `mail`, then a mark to
 * `delivered`, and then removes the message.
 */
async function* entriesToKeep(dataDir: string, isWhole: boolean): AsyncGenerator<Entry, void> {
  const messages = new Set<string>();
  const queues = ['outbox/waiting', 'outbox/dead'];
  const others = ['outbox', 'mail', 'backends', ...(isWhole ? ['assets'] : [])];
  for (const folder of [...queues, ...queues, ...others])
    for await (const file of walk(dataDir, folder)) {
      const id = MESSAGE.exec(file.name)?.[2] ?? '';
      if (NEVER.test(file.name) || messages.has(id)) continue;
      if (folder === 'backends' && !isWhole && !STATE.test(file.name)) continue;
      const entry = await unlessMissing(readEntry(dataDir, file));
      if (entry === null) continue;
      if (id !== '') messages.add(id);
      yield entry;
    }
}

async function readEntry(dataDir: string, { name, stats }: DataFile): Promise<Entry> {
  const file = path.join(dataDir, name);
  const target = stats.isSymbolicLink() ? await readlink(file) : null;
  return {
    name,
    mtimeMs: stats.mtimeMs,
    bytes: target === null ? await readFile(file, 'base64') : '',
    target,
  };
}

export async function isRestoreUnfinished(dataDir: string): Promise<boolean> {
  const found = [DRAFT, READY].map(name => unlessMissing(lstat(path.join(dataDir, name))));
  return (await Promise.all(found)).some(stats => stats !== null);
}

export async function hasMessages(dataDir: string): Promise<boolean> {
  for (const folder of ['outbox', 'mail'])
    for await (const { name } of walk(dataDir, folder)) if (isMessage(name)) return true;
  return false;
}

/**
 * Restores a backup into a folder that contains no messages. If the process is killed, call it again: the
 * whole backup is unpacked into DRAFT, which is then renamed. Only after that, each file is moved.
 * @returns the number of messages and files; null after finishing an earlier call.
 * @throws DamagedBackupError; nothing is then restored.
 */
export async function restore(dataDir: string, file: string) {
  const [draft, ready] = [path.join(dataDir, DRAFT), path.join(dataDir, READY)];
  let counts: { messages: number; files: number } | null = null;
  if ((await unlessMissing(lstat(ready))) === null) {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    try {
      counts = await unpack(file, draft);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      // A failed system call concerns a folder or a missing backup. Any other error means damaged bytes.
      throw error instanceof Error && 'syscall' in error ? error : new DamagedBackupError({ cause: error });
    }
    await rename(draft, ready);
    await syncFolder(dataDir);
  }
  await moveInto(ready, dataDir);
  await rm(ready, { recursive: true, force: true });
  return counts;
}

async function unpack(file: string, draft: string) {
  const counts = { messages: 0, files: 0 };
  const folders = new Set([draft]);
  let end: number | null = null;
  const input = createGunzip();
  const isRead = pipeline(createReadStream(file), input);
  const lines = createInterface({ input });
  // Close the lines if the file is damaged. Otherwise the loop would wait for them for ever.
  void isRead.catch(() => lines.close());
  for await (const text of lines) {
    const line = lineSchema.parse(JSON.parse(text));
    if ('end' in line) {
      end = line.end;
      continue;
    }
    await put(draft, line);
    for (let at = path.dirname(line.name); at !== '.'; at = path.dirname(at))
      folders.add(path.join(draft, at));
    counts.files += 1;
    if (isMessage(line.name)) counts.messages += 1;
  }
  await isRead;
  if (end !== counts.files) throw new DamagedBackupError();
  for (const folder of folders) await syncFolder(folder);
  return counts;
}

async function put(draft: string, { name, bytes, target, mtimeMs }: Entry): Promise<void> {
  const file = path.join(draft, name);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  if (target !== null) await symlink(target, file);
  else await writeFile(file, bytes, { encoding: 'base64', flag: 'wx', flush: true, mode: 0o600 });
  // Backdate `outbox/alive`, which a running site renews. Otherwise a site would seem to run here.
  const seconds = (name === 'outbox/alive' ? mtimeMs - ALIVE_MS : mtimeMs) / 1_000;
  await lutimes(file, seconds, seconds);
}

/** Moves a folder, or its entries if the target exists: in order of names, so waiting messages come last. */
async function moveInto(from: string, to: string): Promise<void> {
  const isMerged = (await lstat(from)).isDirectory() && (await unlessMissing(lstat(to))) !== null;
  if (!isMerged) return rename(from, to);
  for (const name of (await readdir(from)).sort()) await moveInto(path.join(from, name), path.join(to, name));
  await syncFolder(to);
}
