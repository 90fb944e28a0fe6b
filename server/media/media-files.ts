import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import * as z from 'zod';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import type { Encoding } from '../http/request/accept-encoding.ts';
import type { ServedFile } from '../http/send-file.ts';
import { type CheckedFile, CheckedFiles, type CheckedFilesOptions } from './checked-files.ts';

export const UNKNOWN_TYPE = 'application/octet-stream';

const metaSchema = z.object({
  /** The type that the origin declares. */
  type: z.string(),
  /** The origin's validators, for conditional requests. */
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** The ETag of the original, in a compressed file only. */
  source: z.string().optional(),
});
type Meta = z.infer<typeof metaSchema>;

export type StoredMedia = CheckedFile<Meta>;

/** Media by path, each with the requested encodings. */
export class MediaFiles extends CheckedFiles<Meta> {
  readonly #health: DiskHealth;
  readonly #compressions = new SingleFlight();

  constructor(options: Pick<CheckedFilesOptions<Meta>, 'dir' | 'maxBytes' | 'log'> & { health: DiskHealth }) {
    super({ ...options, schema: metaSchema, declaredType: ({ type }) => type, durable: true });
    this.#health = options.health;
  }

  /** Removes a file in all its encodings. */
  async removeAll(mediaPath: string): Promise<void> {
    const encoded = ENCODINGS.map(encoding => encodedKey(encoding, mediaPath));
    await this.remove([mediaPath, ...encoded], mediaPath);
  }

  /** Compresses a stored file once for an encoding. Returns the file if it cannot be compressed. */
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

export function servedFile({ entry: { file, bodyBytes, sha256 }, type }: StoredMedia): ServedFile {
  return { file, bodyBytes, type: type ?? UNKNOWN_TYPE, etag: `"${sha256}"` };
}

type StoredEncoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** The sizes of files to compress. Smaller ones fit into one packet. Larger ones are no pictures. */
const MIN_BYTES = 512;
const MAX_BYTES = 4 * 1024 * 1024;
/** The Brotli level. The highest level takes ten times as long and saves 3 %. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 9;

/** @returns null for a file that is too small, too large, or would not become smaller. */
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
