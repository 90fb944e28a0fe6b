import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { unlessMissing } from '../cache/missing-file.ts';
import { syncFolder, type WriteFileAtomically } from '../cache/write-file-atomically.ts';

/** A message as it lies in the outbox. Its file is never written again: it is moved, or erased. */
const letterSchema = z.object({
  /** The `Idempotency-Key` of its delivery. */
  key: z.string().min(1),
  receivedAt: z.iso.datetime(),
  /** What the backend gets. */
  message: z.record(z.string(), z.string()),
});
export type Letter = z.infer<typeof letterSchema>;

/** A file in which no message can be found. What is wrong with it is not said: it would repeat the message's words. */
export class NoLetterError extends Error {
  constructor() {
    super('The file holds no message');
    this.name = 'NoLetterError';
  }
}

/** The folders of messages; `dead` holds those that could not be delivered. */
export type Folder = 'waiting' | 'dead';

export interface LetterFile {
  id: string;
  /** ms since the epoch: since when it is in its folder. It is the file's own time. */
  since: number;
}

/**
 * The folder `outbox` in DATA_DIR, for the server and for `npm run outbox` alike. Every step leaves each message whole:
 * it is written beside its place, synced and renamed, and stays where it is until it has been delivered.
 */
export interface OutboxFiles {
  readonly dir: string;
  /** Makes what is missing of the folders. */
  prepare(): Promise<void>;
  /** Resolves when the message is safe on disk; rejects with the system's error when it is not. */
  put(letter: Letter): Promise<void>;
  /** @returns whether the message is waiting, or was delivered a while ago. One that is waiting is safe on disk. */
  has(key: string): Promise<boolean>;
  /** @returns null when the message has gone. @throws NoLetterError. */
  read(folder: Folder, id: string): Promise<Letter | null>;
  list(folder: Folder): Promise<LetterFile[]>;
  /** Moves a message to the other folder, or starts its time anew where it is. @returns false when it has gone. */
  move(id: string, from: Folder, to: Folder, now: number): Promise<boolean>;
  /** @returns whether a message was delivered, as far as is remembered. */
  wasDelivered(id: string): Promise<boolean>;
  /** Remembers a delivery without a word of the message: an empty file named after the hash of its key. */
  noteDelivered(id: string): Promise<void>;
  /** Erases a message. */
  erase(folder: Folder, id: string): Promise<void>;
}

const SUFFIX = '.json';
/** They hold personal data: nobody but the process's own user reads them. */
const PRIVATE_FOLDER = 0o700;

/** @returns the name of a message: it says nothing, and is the same for the same key. */
export function letterId(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

/** @param writeFileAtomically replaced by tests whose disk is full. */
export function createOutboxFiles(dataDir: string, writeFileAtomically: WriteFileAtomically): OutboxFiles {
  const dir = path.resolve(dataDir, 'outbox');
  const fileOf = (folder: Folder, id: string) => path.join(dir, folder, id + SUFFIX);
  const markOf = (id: string) => path.join(dir, 'delivered', id);

  return {
    dir,

    async prepare() {
      for (const folder of ['drafts', 'waiting', 'dead', 'claims', 'delivered'])
        await mkdir(path.join(dir, folder), { recursive: true, mode: PRIVATE_FOLDER });
      // A folder that was made a moment ago has to be there after a power cut, too.
      await syncFolder(dir);
      await syncFolder(path.dirname(dir));
    },

    async put(letter) {
      const id = letterId(letter.key);
      await writeFileAtomically(fileOf('waiting', id), JSON.stringify(letter), {
        durable: true,
        draftsDir: path.join(dir, 'drafts'),
        mode: 0o600,
      });
    },

    async has(key) {
      const id = letterId(key);
      // In this order: the mark is made before the message goes, so one of the two is always there.
      if (!(await exists(fileOf('waiting', id)))) return exists(markOf(id));
      // It may have been another attempt's, whose sync has failed.
      await syncFolder(path.join(dir, 'waiting'));
      return true;
    },

    async read(folder, id) {
      const text = await unlessMissing(readFile(fileOf(folder, id), 'utf8'));
      if (text === null) return null;
      const letter = letterSchema.safeParse(parseJson(text));
      if (!letter.success) throw new NoLetterError();
      return letter.data;
    },

    async list(folder) {
      const found = (await unlessMissing(readdir(path.join(dir, folder)))) ?? [];
      const names = found.filter(name => name.endsWith(SUFFIX));
      const files = await Promise.all(
        names.map(async name => {
          const id = name.slice(0, -SUFFIX.length);
          const stats = await unlessMissing(stat(fileOf(folder, id)));
          return stats === null ? [] : [{ id, since: stats.mtimeMs }];
        }),
      );
      return files.flat();
    },

    async move(id, from, to, now) {
      const moved = await unlessMissing(
        utimes(fileOf(from, id), now / 1_000, now / 1_000).then(async () => {
          if (from !== to) await rename(fileOf(from, id), fileOf(to, id));
          return true;
        }),
      );
      return moved ?? false;
    },

    wasDelivered: id => exists(markOf(id)),
    noteDelivered: id => writeFile(markOf(id), ''),
    erase: (folder, id) => rm(fileOf(folder, id), { force: true }),
  };
}

function exists(file: string): Promise<boolean> {
  return unlessMissing(access(file).then(() => true)).then(found => found ?? false);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
