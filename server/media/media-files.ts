import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import * as z from 'zod';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import { type DiskEntry, DiskStore } from '../cache/disk/disk-store.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import type { Encoding } from '../http/request/accept-encoding.ts';
import type { ServedFile } from '../http/send-file.ts';
import type { Logger } from '../ops/log.ts';
import { CheckedBodies, type CheckedBody } from './checked-bodies.ts';

export const UNKNOWN_TYPE = 'application/octet-stream';

const metaSchema = z.object({
  /** As the origin declares it. */
  type: z.string(),
  /** The origin's validators, for conditional requests. */
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** Of a compressed file: the ETag of the original. */
  source: z.string().optional(),
});
type Meta = z.infer<typeof metaSchema>;

export interface StoredMedia {
  readonly entry: DiskEntry<Meta>;
  readonly body: CheckedBody;
}

export interface MediaFilesOptions {
  dir: string;
  /** Bound of all files in bytes. The least recently used are removed first. */
  maxBytes: number;
  health: DiskHealth;
  log: Logger;
}

/** Media on disk by their paths, each also in the encodings that were asked for. */
export class MediaFiles {
  readonly #health: DiskHealth;
  readonly #log: Logger;
  readonly #files: DiskStore<Meta>;
  readonly #bodies = new CheckedBodies();
  readonly #compressions = new SingleFlight();

  constructor({ dir, maxBytes, health, log }: MediaFilesOptions) {
    const decodeMeta = (value: unknown) => metaSchema.parse(value);
    this.#health = health;
    this.#log = log;
    this.#files = new DiskStore({ dir, maxBytes, decodeMeta, health, log, durable: true });
  }

  async read(key: string): Promise<StoredMedia | null> {
    const entry = await this.#files.read(key);
    if (!entry) return null;
    try {
      const body = await this.#bodies.check(entry, entry.meta.type);
      if (body) return { entry, body };
      this.#log.warn(
        { code: 'media-file-changed', path: key },
        'media: a stored file is not as it was written and counts as absent',
      );
    } catch (error) {
      this.#log.warn(
        { code: 'media-file-unreadable', err: error, path: key },
        'media: a stored file cannot be read and counts as absent',
      );
    }
    return null;
  }

  /**
   * @param head the first TYPE_BYTES of the body.
   * @param meta called when the whole body is on disk. An error leaves the file as it was.
   */
  async write(key: string, body: Readable | Buffer, head: Buffer, meta: () => Meta): Promise<StoredMedia> {
    const entry = await this.#files.write(key, body, meta);
    return { entry, body: this.#bodies.note(entry, head, entry.meta.type) };
  }

  /** Marks a file as used now, and as equal to the origin's. */
  async touch(mediaPath: string): Promise<void> {
    await this.#files.touch(mediaPath);
  }

  /** Removes a file in all encodings. Never rejects. */
  async remove(mediaPath: string): Promise<void> {
    const keys = [mediaPath, ...ENCODINGS.map(encoding => encodedKey(encoding, mediaPath))];
    await Promise.all(keys.map(key => this.#files.remove(key))).catch((error: unknown) =>
      this.#log.warn(
        { code: 'media-file-not-removed', err: error, path: mediaPath },
        'media: a file could not be removed',
      ),
    );
  }

  /** A stored file in an encoding, compressed once; the file itself where it cannot be compressed. */
  async encoded(mediaPath: string, file: ServedFile, encoding: Encoding): Promise<ServedFile> {
    if (encoding === 'identity' || !this.#health.state.isWritable) return file;
    const key = encodedKey(encoding, mediaPath);
    const stored = await this.read(key);
    if (stored?.entry.meta.source === file.etag) return { ...servedFile(stored), type: file.type, encoding };
    const work = async () => {
      const bytes = await compressFile(file, encoding);
      if (!bytes) return null;
      const meta = { type: file.type, etag: null, lastModified: null, source: file.etag };
      return this.write(key, bytes, bytes, () => meta);
    };
    const compressed = await this.#compressions.run(`${file.etag} ${key}`, work).catch(() => null);
    return compressed ? { ...servedFile(compressed), type: file.type, encoding } : file;
  }
}

const ENCODINGS: readonly StoredEncoding[] = ['br', 'gzip'];

function encodedKey(encoding: StoredEncoding, mediaPath: string): string {
  return `${encoding} ${mediaPath}`;
}

export function servedFile({ entry: { file, bodyBytes, sha256 }, body }: StoredMedia): ServedFile {
  return { file, bodyBytes, type: body.type ?? UNKNOWN_TYPE, etag: `"${sha256}"` };
}

type StoredEncoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Smaller files fit into one packet anyway. Larger ones are no pictures that a page should show. */
const MIN_BYTES = 512;
const MAX_BYTES = 4 * 1024 * 1024;
/** Each file is compressed once. The highest level needs ten times as long for 3 % less. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 9;

/** @returns null for a file that is too small or too large, or does not become smaller. */
async function compressFile(
  { file, bodyBytes }: ServedFile,
  encoding: StoredEncoding,
): Promise<Buffer | null> {
  if (bodyBytes < MIN_BYTES || bodyBytes > MAX_BYTES) return null;
  const body = (await readFile(file)).subarray(0, bodyBytes);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const packed = await (encoding === 'br' ? brotli(body, { params }) : gzipped(body, { level: GZIP_LEVEL }));
  return packed.byteLength < bodyBytes ? packed : null;
}
