import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type * as z from 'zod';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import { type DiskEntry, DiskStore, type DiskStoreOptions } from '../cache/disk/disk-store.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import type { ServedFile } from '../http/send-file.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { mediaType, TYPE_BYTES } from './media-type.ts';
import { readDigest } from './whole-body.ts';

export const UNKNOWN_TYPE = 'application/octet-stream';

const MAX_CHECKED = 20_000;
const TOUCH_AFTER_MS = 3_600_000;

export interface FilesOptions extends Pick<DiskStoreOptions<unknown>, 'dir' | 'maxBytes' | 'log'> {
  health: DiskHealth;
}

interface CheckedFilesOptions<M> extends FilesOptions, Pick<DiskStoreOptions<M>, 'durable'> {
  schema: z.ZodType<M>;
  /** The origin's `Content-Type`. */
  declaredType?: (meta: M) => string;
}

interface Checked {
  readonly sha256: string;
  readonly type: string | null;
}

export interface CheckedFile<M> {
  readonly entry: DiskEntry<M>;
  readonly type: string | null;
}

/** Files on disk. Each process checks each file's digest once: a power cut may have damaged files. */
export class CheckedFiles<M> {
  readonly #files: DiskStore<M>;
  readonly #declaredType: (meta: M) => string;
  readonly #log: Logger;
  readonly #checked = boundedMap<Checked>(MAX_CHECKED);
  readonly #checks = new SingleFlight();

  constructor({ schema, declaredType = () => '', ...options }: CheckedFilesOptions<M>) {
    this.#files = new DiskStore({ ...options, decodeMeta: value => schema.parse(value) });
    this.#declaredType = declaredType;
    this.#log = options.log;
  }

  /** @returns null for a missing or damaged file. */
  async read(key: string): Promise<CheckedFile<M> | null> {
    const entry = await this.#files.read(key);
    if (!entry) return null;
    try {
      const checked = await this.#check(entry);
      if (checked) return { entry, type: checked.type };
      this.#log.warn({ code: 'media-file-changed', path: key }, 'media: a damaged stored file is ignored');
    } catch (error) {
      this.#log.warn(
        { code: 'media-file-unreadable', err: error, path: key },
        'media: a stored file cannot be read and is ignored',
      );
    }
    return null;
  }

  /** @param head the first TYPE_BYTES of the body. @param meta makes the metadata after the write. */
  async write(
    key: string,
    body: Readable | Uint8Array,
    head: Uint8Array,
    meta: () => M,
  ): Promise<CheckedFile<M>> {
    const entry = await this.#files.write(key, body, meta);
    return { entry, type: this.#note(entry, Buffer.from(head.subarray(0, TYPE_BYTES))).type };
  }

  /** Reads a file for a response, and renews its stored time of last use once an hour. */
  async use(key: string): Promise<CheckedFile<M> | null> {
    const found = await this.read(key);
    if (found && steadyNow() - found.entry.usedAt > TOUCH_AFTER_MS) await this.touch(key);
    return found;
  }

  async touch(key: string): Promise<void> {
    await this.#files.touch(key);
  }

  /** Removes files and never rejects. @param path names the files in the log. */
  async remove(keys: readonly string[], path: string): Promise<void> {
    await Promise.all(keys.map(key => this.#files.remove(key))).catch((error: unknown) =>
      this.#log.warn(
        { code: 'media-file-not-removed', err: error, path },
        'media: a file could not be removed',
      ),
    );
  }

  async #check(entry: DiskEntry<M>): Promise<Checked | null> {
    const { file, sha256 } = entry;
    const known = this.#checked.get(file);
    if (known?.sha256 === sha256) return known;
    return this.#checks.run(`${sha256} ${file}`, async () => {
      const found = await readDigest(file, entry.bodyBytes, TYPE_BYTES);
      return found.sha256 === sha256 ? this.#note(entry, found.head) : null;
    });
  }

  #note({ file, sha256, meta }: DiskEntry<M>, head: Buffer): Checked {
    const checked = { sha256, type: mediaType(head, this.#declaredType(meta)) };
    this.#checked.set(file, checked);
    return checked;
  }
}

export function servedFile({ entry, type }: CheckedFile<unknown>): ServedFile {
  const { file, bodyBytes, sha256 } = entry;
  return { file, bodyBytes, type: type ?? UNKNOWN_TYPE, etag: `"${sha256}"` };
}

export async function bytesOf({ file, bodyBytes }: ServedFile): Promise<Buffer> {
  return (await readFile(file)).subarray(0, bodyBytes);
}
