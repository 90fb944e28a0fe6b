import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { listFiles } from '../cache/disk/list-files.ts';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { syncFolder, type WriteFileAtomically } from '../cache/disk/write-file-atomically.ts';
import { NamedError } from '../ops/named-error.ts';
import { LEASE_LIMIT_MS } from './leases.ts';

/** The file of a message is written once, and once more for a dead letter. */
export const messageSchema = z.object({
  /** The `Idempotency-Key` of its delivery. */
  key: z.string().min(1),
  receivedAt: z.iso.datetime(),
  message: z.record(z.string(), z.string()),
  /** Why the message became a dead letter, in the words of the CMS. They may repeat words of the message. */
  failure: z.string().optional(),
});
export type OutboxMessage = z.infer<typeof messageSchema>;

/** A file that holds no message. The error omits the reason, which would quote the message. */
export class UnreadableMessageError extends NamedError {
  constructor() {
    super('The file holds no message');
  }
}

export type Folder = 'waiting' | 'dead';

export interface MessageFile {
  id: string;
  since: number;
}

const FOLDERS = ['drafts', 'waiting', 'dead', 'leases', 'delivered', 'recipients'] as const;
const SUFFIX = '.json';
/** Messages hold personal data, so only the process's own user may read them. */
const PRIVATE_FOLDER = 0o700;

export const ID_LENGTH = 32;
const ID = /^[0-9a-f]{32}$/;
/** Checks an id that becomes a file name, because other programs may write to the queue. */
export const isMessageId = (text: string): boolean => ID.test(text);

/** A hash of the key, which reveals nothing of the message. */
export function messageId(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, ID_LENGTH);
}

export const DAY_MS = 24 * 60 * 60 * 1_000;
/**
 * How long deliveries and places in the recipient limit are remembered, in ms. A repeated POST request comes
 * soon after the first one.
 */
export const REMEMBERED_MS = DAY_MS;
export const MAX_REMEMBERED = 20_000;
/** The age in ms from which a draft must have been left by a crash. */
const DRAFT_LIMIT_MS = 10 * 60 * 1_000;

/** Folders to search, in order. A message that becomes a dead letter meanwhile is in one of the last two. */
export const MESSAGE_FOLDERS = ['drafts', 'waiting', 'dead', 'drafts', 'dead'] as const;

/** The folder `outbox` in DATA_DIR. A message is written durably, and its file stays until the delivery. */
export class OutboxFiles {
  readonly dir: string;
  /** The folder of the embedded backend's messages. File names begin with the message's id. */
  readonly mailDir: string;
  readonly folders: readonly string[];
  readonly #writeFileAtomically: WriteFileAtomically;

  /** @param writeFileAtomically a parameter, so that tests can simulate a full disk. */
  constructor(dataDir: string, writeFileAtomically: WriteFileAtomically) {
    this.dir = path.resolve(dataDir, 'outbox');
    this.mailDir = path.resolve(dataDir, 'mail');
    this.folders = [this.dir, ...FOLDERS.map(folder => path.join(this.dir, folder))];
    this.#writeFileAtomically = writeFileAtomically;
  }

  async prepare(): Promise<boolean> {
    let wasMissing = false;
    for (const folder of FOLDERS) {
      const created = await mkdir(path.join(this.dir, folder), { recursive: true, mode: PRIVATE_FOLDER });
      wasMissing ||= created !== undefined;
    }
    if (!wasMissing) return false;
    // The folders must outlive a power cut, too.
    await syncFolder(this.dir);
    await syncFolder(path.dirname(this.dir));
    return true;
  }

  async put(message: OutboxMessage): Promise<void> {
    await this.#write(this.#fileOf('waiting', messageId(message.key)), message);
  }

  async has(key: string): Promise<boolean> {
    const id = messageId(key);
    // Check the file first. A delivery writes its mark before it removes the file, so one of the two exists.
    if (!(await exists(this.#fileOf('waiting', id)))) return exists(this.#markOf(id));
    // An earlier call may have written the file and failed to sync the folder.
    await syncFolder(path.join(this.dir, 'waiting'));
    return true;
  }

  /** @returns null if the file does not exist. @throws UnreadableMessageError. */
  async read(folder: Folder, id: string): Promise<OutboxMessage | null> {
    const text = await unlessMissing(readFile(this.#fileOf(folder, id), 'utf8'));
    if (text === null) return null;
    const message = messageSchema.safeParse(parseJson(text));
    if (!message.success) throw new UnreadableMessageError();
    return message.data;
  }

  async list(folder: Folder): Promise<MessageFile[]> {
    const files = await filesIn([path.join(this.dir, folder)]);
    return files.flatMap(({ file, time }) => {
      const id = path.basename(file, SUFFIX);
      return file.endsWith(SUFFIX) && isMessageId(id) ? [{ id, since: time }] : [];
    });
  }

  async listDelivered(): Promise<string[]> {
    return (await unlessMissing(readdir(path.join(this.dir, 'delivered')))) ?? [];
  }

  /** Moves a message, or resets its time in the same folder. @returns false if the file does not exist. */
  async move(id: string, from: Folder, to: Folder, now: number): Promise<boolean> {
    const moved = await unlessMissing(
      utimes(this.#fileOf(from, id), now / 1_000, now / 1_000).then(async () => {
        if (from !== to) await rename(this.#fileOf(from, id), this.#fileOf(to, id));
        return true;
      }),
    );
    return moved ?? false;
  }

  /**
   * Makes a waiting message a dead letter, with the reason if the disk has room for it.
   * @returns false if the file does not exist.
   */
  async bury(id: string, failure: string | null, now: number): Promise<boolean> {
    const draft = path.join(this.dir, 'drafts', `${checked(id)}${SUFFIX}.dead`);
    const message = await this.read('waiting', id).catch(() => null);
    // Write the draft first: `erase` searches drafts after waiting files, so no erased message comes back.
    if (message && failure !== null) await this.#write(draft, { ...message, failure }).catch(() => {});
    const isMoved = await this.move(id, 'waiting', 'dead', now);
    if (isMoved) await unlessMissing(rename(draft, this.#fileOf('dead', id)));
    else await rm(draft, { force: true });
    return isMoved;
  }

  /** @returns the ms since a process noted that it was alive, by the system's clock; 0 without a note. */
  async sinceAlive(): Promise<number> {
    const noted = await unlessMissing(stat(path.join(this.dir, 'alive')));
    return noted ? Math.max(0, Date.now() - noted.mtimeMs) : 0;
  }

  async noteAlive(): Promise<void> {
    const file = path.join(this.dir, 'alive');
    const seconds = Date.now() / 1_000;
    await writeFile(file, '');
    await utimes(file, seconds, seconds);
  }

  async rejuvenate(byMs: number): Promise<void> {
    const folders = ['waiting', 'dead', 'delivered'].map(folder => path.join(this.dir, folder));
    for (const { file, time } of await filesIn([...folders, this.mailDir])) {
      const seconds = (time + byMs) / 1_000;
      await unlessMissing(utimes(file, seconds, seconds));
    }
  }

  wasDelivered(id: string): Promise<boolean> {
    return exists(this.#markOf(id));
  }

  noteDelivered(id: string): Promise<void> {
    return writeFile(this.#markOf(id), '');
  }

  remove(folder: Folder, id: string): Promise<void> {
    return rm(this.#fileOf(folder, id), { force: true });
  }

  /** Erases all traces of a message, whether a server runs or not. @returns the folders that had traces. */
  async erase(id: string): Promise<string[]> {
    const erased: string[] = [];
    for (const folder of [...MESSAGE_FOLDERS, 'leases', 'delivered', 'recipients']) {
      const names = (await unlessMissing(readdir(path.join(this.dir, folder)))) ?? [];
      // Drafts have names such as `ID.json.….part`; leases and marks are named by the id alone.
      const own = names.filter(name => name === id || name.startsWith(`${id}.`));
      for (const name of own) await rm(path.join(this.dir, folder, name), { force: true });
      if (own.length > 0) erased.push(folder);
    }
    return erased;
  }

  async removeExpired(deadLetterDays: number, mailDays: number, now: number): Promise<number> {
    await removeOld(path.join(this.dir, 'drafts'), now - DRAFT_LIMIT_MS);
    await removeOld(path.join(this.dir, 'leases'), now - LEASE_LIMIT_MS);
    await removeOld(path.join(this.dir, 'delivered'), now - REMEMBERED_MS, MAX_REMEMBERED);
    await removeOld(path.join(this.dir, 'recipients'), now - REMEMBERED_MS);
    // An operator may keep other files beside the messages.
    for (const { file, time } of await filesIn([this.mailDir]))
      if (file.endsWith(SUFFIX) && now - time > mailDays * DAY_MS) await rm(file, { force: true });
    const deadLetters = await this.list('dead');
    const expired = deadLetters.filter(({ since }) => now - since > deadLetterDays * DAY_MS);
    for (const { id } of expired) await this.remove('dead', id);
    return expired.length;
  }

  #write(file: string, message: OutboxMessage): Promise<void> {
    return this.#writeFileAtomically(file, JSON.stringify(message), {
      durable: true,
      draftsDir: path.join(this.dir, 'drafts'),
      mode: 0o600,
    });
  }

  #fileOf(folder: Folder, id: string): string {
    return path.join(this.dir, folder, checked(id) + SUFFIX);
  }

  #markOf(id: string): string {
    return path.join(this.dir, 'delivered', checked(id));
  }
}

/** Removes files older than `before`, and then the oldest until at most `max` are left. */
async function removeOld(folder: string, before: number, max = Number.POSITIVE_INFINITY): Promise<void> {
  const newestFirst = (await filesIn([folder])).sort((a, b) => b.time - a.time);
  const expired = newestFirst.filter(({ time }, index) => time < before || index >= max);
  for (const { file } of expired) await rm(file, { force: true });
}

/** Lists files and links with the times of their last change, in ms. A folder that is missing has none. */
async function filesIn(folders: readonly string[]): Promise<{ file: string; time: number }[]> {
  const files: { file: string; time: number }[] = [];
  for (const folder of folders) {
    const read = async () => {
      for await (const batch of listFiles(folder))
        for (const { name, stats } of batch)
          if (!stats.isDirectory()) files.push({ file: path.join(folder, name), time: stats.mtimeMs });
    };
    await unlessMissing(read());
  }
  return files;
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
