import { type Readable, Transform } from 'node:stream';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { createDiskStore, type DiskEntry } from '../cache/disk-store.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { BackendError } from '../errors.ts';
import type { ServedFile } from '../http/send-file.ts';
import type { Logger } from '../ops/log.ts';
import type { FetchFile } from './media-origins.ts';

/** A single medium may have this many bytes. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** A stored medium is confirmed with its origin, behind the answer, when this has passed since the last time, in ms. */
const CONFIRM_AFTER_MS = 60_000;
/** Media whose confirmation has failed and is not tried again at once. */
const MAX_FAILURES = 1_000;
/** Longest download, in ms. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

export interface MediaStore {
  /**
   * @param mediaPath such as `/uploads/a.png`, or an absolute address on an allowed origin; checked.
   * @returns the file on the disk, with an ETag of its bytes; null where there is no such file.
   * @throws BackendError when the file is not on the disk and the backend cannot give it.
   */
  get(mediaPath: string, signal: AbortSignal): Promise<ServedFile | null>;
  /** @returns the bytes of a stored file; null where it is not on the disk, or not as it was written. */
  readStored(mediaPath: string): Promise<Buffer | null>;
}

const metaSchema = z.object({
  type: z.string(),
  /** Validators of the origin, for a conditional request. */
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
});
type Meta = z.infer<typeof metaSchema>;
type StoredMedia = DiskEntry<Meta>;

export interface MediaStoreOptions {
  /** Absolute path. */
  dir: string;
  /** Bound of all files in bytes; those unused for longest go first. */
  maxBytes: number;
  fetchFile: FetchFile;
  log: Logger;
  now?: () => number;
}

/** Media of the backend, and of other allowed origins, fetched once and kept on disk: pictures outlive the backend. */
export function createMediaStore({
  dir,
  maxBytes,
  fetchFile,
  log,
  now = Date.now,
}: MediaStoreOptions): MediaStore {
  const files = createDiskStore({ dir, maxBytes, decodeMeta: value => metaSchema.parse(value), log, now });
  const flights = new SingleFlight();
  const failures = new LRUCache<string, true>({
    max: MAX_FAILURES,
    ttl: CONFIRM_AFTER_MS,
    ttlResolution: 0,
    perf: { now },
  });

  async function get(mediaPath: string, signal: AbortSignal): Promise<ServedFile | null> {
    const stored = await files.read(mediaPath);
    if (!stored) {
      const fetched = await fetchOnce(mediaPath, null, signal);
      return fetched && servedFile(fetched);
    }
    // A confirmation marks the entry as used. So media that nobody asks for are the ones unused for longest.
    if (now() - stored.usedAt > CONFIRM_AFTER_MS) confirm(mediaPath, stored);
    return servedFile(stored);
  }

  /** Runs behind the answer, and not again at once after a failure: a backend that is down must not fill the log. */
  function confirm(mediaPath: string, known: StoredMedia): void {
    if (failures.has(mediaPath) || flights.has(mediaPath)) return;
    fetchOnce(mediaPath, known).catch((error: unknown) => {
      failures.set(mediaPath, true);
      log.warn({ err: error, path: mediaPath }, 'media: could not be confirmed, the stored file serves');
    });
  }

  /** Joins the one download of a file. It goes on when every client has left, because the next one wants the file, too. */
  function fetchOnce(
    mediaPath: string,
    known: StoredMedia | null,
    signal?: AbortSignal,
  ): Promise<StoredMedia | null> {
    const work = () => download(mediaPath, known);
    const whole = flights.run(mediaPath, work);
    if (!signal) return whole;
    whole.catch(() => {});
    return flights.run(mediaPath, work, signal);
  }

  async function download(mediaPath: string, known: StoredMedia | null): Promise<StoredMedia | null> {
    const conditions: Record<string, string> = {
      ...(known?.meta.etag ? { 'If-None-Match': known.meta.etag } : {}),
      ...(known?.meta.lastModified ? { 'If-Modified-Since': known.meta.lastModified } : {}),
    };
    const { status, headers, body } = await fetchFile(
      mediaPath,
      AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
      conditions,
    );
    if (status === 304 && known) {
      body.resume();
      await files.touch(mediaPath);
      return known;
    }
    if (status < 200 || status > 299) {
      body.destroy();
      if (status === 404 || status === 410) {
        if (known) await files.remove(mediaPath);
        return null;
      }
      throw new BackendError('status', `GET ${mediaPath}`, `answered ${status}`, { status });
    }
    const meta = {
      type: headers['content-type'] ?? 'application/octet-stream',
      etag: headers.etag ?? null,
      lastModified: headers['last-modified'] ?? null,
    };
    return store(mediaPath, meta, body);
  }

  async function store(mediaPath: string, meta: Meta, body: Readable): Promise<StoredMedia> {
    try {
      const bounded = body.pipe(bodyLimit(mediaPath));
      body.once('error', error => bounded.destroy(error));
      return await files.write(mediaPath, bounded, () => meta);
    } catch (error) {
      body.destroy();
      if (error instanceof BackendError) throw error;
      throw new BackendError('unreachable', `GET ${mediaPath}`, 'the file could not be fetched and kept', {
        cause: error,
      });
    }
  }

  return {
    get,
    async readStored(mediaPath) {
      return (await files.readWhole(mediaPath))?.body ?? null;
    },
  };
}

function servedFile({ file, bodyBytes, sha256, meta }: StoredMedia): ServedFile {
  return { file, bodyBytes, type: meta.type, etag: `"${sha256}"` };
}

/** Passes a body on up to the bound. */
function bodyLimit(mediaPath: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.byteLength;
      if (bytes <= MAX_FILE_BYTES) return done(null, chunk);
      return done(
        new BackendError('too-large', `GET ${mediaPath}`, `a file of more than ${MAX_FILE_BYTES} bytes`),
      );
    },
  });
}
