import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { listFiles } from '../cache/list-files.ts';
import { unlessMissing } from '../cache/missing-file.ts';
import { syncFolder, type WriteFileAtomically } from '../cache/write-file-atomically.ts';

/** A message as its file holds it. The file is written once, then moved or removed. */
export const messageSchema = z.object({
  /** The `Idempotency-Key` of its delivery. */
  key: z.string().min(1),
  receivedAt: z.iso.datetime(),
  /** The fields that the backend gets. */
  message: z.record(z.string(), z.string()),
});
export type OutboxMessage = z.infer<typeof messageSchema>;

/** A file that holds no message. The error gives no reason, because a reason would contain parts of the message. */
export class UnreadableMessageError extends Error {
  constructor() {
    super('The file holds no message');
    this.name = 'UnreadableMessageError';
  }
}

/** The folders of messages. `dead` holds the dead letters, which could not be delivered. */
export type Folder = 'waiting' | 'dead';

export interface MessageFile {
  id: string;
  /** When the message came into its folder, in ms since the epoch. It is the file's modification time. */
  since: number;
}

/**
 * The folder `outbox` in DATA_DIR, used by the server and by `npm run outbox`. A message is written atomically and durably, and its file
 * stays until the message has been delivered.
 */
export interface OutboxFiles {
  readonly dir: string;
  /** The folders that files are written to. */
  readonly folders: readonly string[];
  /** Creates the folders that are missing. @returns whether one was missing. */
  prepare(): Promise<boolean>;
  /** Writes a message. Resolves when it is safe on disk, and rejects with the system's error. */
  put(message: OutboxMessage): Promise<void>;
  /** @returns whether a message with this key is waiting, safe on disk, or its delivery is remembered. */
  has(key: string): Promise<boolean>;
  /** @returns the message, or null when its file does not exist. @throws UnreadableMessageError. */
  read(folder: Folder, id: string): Promise<OutboxMessage | null>;
  list(folder: Folder): Promise<MessageFile[]>;
  /** @returns the ids of the messages whose delivery is remembered. */
  listDelivered(): Promise<string[]>;
  /** Moves a message to a folder, or resets its time in the same folder. @returns false when its file does not exist. */
  move(id: string, from: Folder, to: Folder, now: number): Promise<boolean>;
  /**
   * Notes that a process runs.
   *
   * @returns the time in ms since a process noted it last, by the clock of the system; 0 for the first.
   */
  noteAlive(): Promise<number>;
  /** Makes all messages and all marks of deliveries younger by a time, in ms. */
  rejuvenate(byMs: number): Promise<void>;
  /** @returns whether a delivery of the message is remembered. */
  wasDelivered(id: string): Promise<boolean>;
  /** Remembers a delivery, by an empty file whose name is a hash of the message's key. */
  noteDelivered(id: string): Promise<void>;
  remove(folder: Folder, id: string): Promise<void>;
  /**
   * Erases everything that a message has left in the folder, whether a server runs or not.
   *
   * @returns the folders that had something of it, such as `waiting`, `drafts`, `leases` or `delivered`.
   */
  erase(id: string): Promise<string[]>;
}

const FOLDERS = ['drafts', 'waiting', 'dead', 'leases', 'delivered', 'recipients'] as const;
const SUFFIX = '.json';
/** Messages hold personal data, so only the process's own user may read them. */
const PRIVATE_FOLDER = 0o700;

/** The length of a message's id. */
export const ID_LENGTH = 32;
const ID = /^[0-9a-f]{32}$/;
/** @returns whether a text has the form of an id. Others may write to the queue, and ids become names of files. */
export const isMessageId = (text: string): boolean => ID.test(text);

/** @returns the name of a message's file: a hash of its key, which reveals nothing of the message. */
export function messageId(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, ID_LENGTH);
}

/** @param writeFileAtomically replaced by tests whose disk is full. */
export function createOutboxFiles(dataDir: string, writeFileAtomically: WriteFileAtomically): OutboxFiles {
  const dir = path.resolve(dataDir, 'outbox');
  const fileOf = (folder: Folder, id: string) => path.join(dir, folder, checked(id) + SUFFIX);
  const markOf = (id: string) => path.join(dir, 'delivered', checked(id));

  return {
    dir,
    folders: [dir, ...FOLDERS.map(folder => path.join(dir, folder))],

    async prepare() {
      let wasMissing = false;
      for (const folder of FOLDERS) {
        const created = await mkdir(path.join(dir, folder), { recursive: true, mode: PRIVATE_FOLDER });
        wasMissing ||= created !== undefined;
      }
      if (!wasMissing) return false;
      // The folders must outlive a power cut, too.
      await syncFolder(dir);
      await syncFolder(path.dirname(dir));
      return true;
    },

    async put(message) {
      const id = messageId(message.key);
      await writeFileAtomically(fileOf('waiting', id), JSON.stringify(message), {
        durable: true,
        draftsDir: path.join(dir, 'drafts'),
        mode: 0o600,
      });
    },

    async has(key) {
      const id = messageId(key);
      // Look for the file first. A delivery writes the mark before it removes the file, so one of the two always exists.
      if (!(await exists(fileOf('waiting', id)))) return exists(markOf(id));
      // The file may come from an earlier call whose sync of the folder has failed.
      await syncFolder(path.join(dir, 'waiting'));
      return true;
    },

    async read(folder, id) {
      const text = await unlessMissing(readFile(fileOf(folder, id), 'utf8'));
      if (text === null) return null;
      const message = messageSchema.safeParse(parseJson(text));
      if (!message.success) throw new UnreadableMessageError();
      return message.data;
    },

    async list(folder) {
      const found: MessageFile[] = [];
      const read = async () => {
        for await (const batch of listFiles(path.join(dir, folder)))
          for (const { name, stats } of batch)
            if (name.endsWith(SUFFIX) && isMessageId(name.slice(0, -SUFFIX.length)))
              found.push({ id: name.slice(0, -SUFFIX.length), since: stats.mtimeMs });
      };
      await unlessMissing(read());
      return found;
    },

    listDelivered: async () => (await unlessMissing(readdir(path.join(dir, 'delivered')))) ?? [],

    async move(id, from, to, now) {
      const moved = await unlessMissing(
        utimes(fileOf(from, id), now / 1_000, now / 1_000).then(async () => {
          if (from !== to) await rename(fileOf(from, id), fileOf(to, id));
          return true;
        }),
      );
      return moved ?? false;
    },

    async noteAlive() {
      const file = path.join(dir, 'alive');
      const before = await unlessMissing(stat(file));
      const now = Date.now();
      if (before) await utimes(file, now / 1_000, now / 1_000);
      else await writeFile(file, '');
      return before ? Math.max(0, now - before.mtimeMs) : 0;
    },

    async rejuvenate(byMs) {
      for (const folder of ['waiting', 'dead', 'delivered']) {
        for await (const batch of listFiles(path.join(dir, folder))) {
          for (const { name, stats } of batch) {
            const time = (stats.mtimeMs + byMs) / 1_000;
            await unlessMissing(utimes(path.join(dir, folder, name), time, time));
          }
        }
      }
    },

    wasDelivered: id => exists(markOf(id)),
    noteDelivered: id => writeFile(markOf(id), ''),
    remove: (folder, id) => rm(fileOf(folder, id), { force: true }),

    async erase(id) {
      const erased: string[] = [];
      for (const folder of FOLDERS) {
        const names = (await unlessMissing(readdir(path.join(dir, folder)))) ?? [];
        // Drafts have names such as `ID.json.….part`; leases and marks are named by the id alone.
        const own = names.filter(name => name === id || name.startsWith(`${id}.`));
        for (const name of own) await rm(path.join(dir, folder, name), { force: true });
        if (own.length > 0) erased.push(folder);
      }
      return erased;
    },
  };
}

function checked(id: string): string {
  if (isMessageId(id)) return id;
  throw new Error('A text that is no id of a message cannot name a file');
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
