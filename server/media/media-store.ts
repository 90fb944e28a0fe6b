import { type Readable, Transform } from 'node:stream';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { createDiskStore, type DiskEntry } from '../cache/disk-store.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { BackendError } from '../errors.ts';
import type { ServedFile } from '../http/send-file.ts';
import type { Logger } from '../ops/log.ts';
import type { FetchFile } from './media-origins.ts';

/** Largest medium, in bytes. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** A stored medium is revalidated in the background when its last revalidation is older than this, in ms. */
const REVALIDATE_AFTER_MS = 60_000;
/** Most media whose failed revalidation is remembered, so that it is not repeated at once. */
const MAX_FAILURES = 1_000;
/** Longest download, in ms. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

export interface MediaStore {
  /**
   * @param mediaPath such as `/uploads/a.png`, or an absolute address that the media policy has accepted.
   * @returns the file on disk, with an ETag of its bytes; null when it does not exist.
   * @throws BackendError when the file is not on disk and cannot be fetched.
   */
  get(mediaPath: string, signal: AbortSignal): Promise<ServedFile | null>;
  /** @returns the bytes of a stored file; null when it is not on disk or damaged. */
  readStored(mediaPath: string): Promise<Buffer | null>;
}

const metaSchema = z.object({
  type: z.string(),
  /** The origin's validators, for conditional requests. */
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
});
type Meta = z.infer<typeof metaSchema>;
type StoredMedia = DiskEntry<Meta>;

export interface MediaStoreOptions {
  /** Absolute path. */
  dir: string;
  /** Bound of all files in bytes. The files unused for longest are removed first. */
  maxBytes: number;
  fetchFile: FetchFile;
  /** @returns whether everything was invalidated at or after a time, in ms since the epoch. A medium stored before it is revalidated. */
  invalidatedSince?: (time: number) => boolean;
  log: Logger;
  now?: () => number;
}

/** Creates the store of media. Each file is fetched once and stored on disk, so that it can be served while the backend is down. */
export function createMediaStore({
  dir,
  maxBytes,
  fetchFile,
  invalidatedSince = () => false,
  log,
  now = Date.now,
}: MediaStoreOptions): MediaStore {
  const files = createDiskStore({ dir, maxBytes, decodeMeta: value => metaSchema.parse(value), log, now });
  const flights = new SingleFlight();
  const failures = new LRUCache<string, true>({
    max: MAX_FAILURES,
    ttl: REVALIDATE_AFTER_MS,
    ttlResolution: 0,
    perf: { now },
  });

  async function get(mediaPath: string, signal: AbortSignal): Promise<ServedFile | null> {
    const stored = await files.read(mediaPath);
    if (!stored) {
      const fetched = await fetchOnce(mediaPath, null, signal);
      return fetched && servedFile(fetched);
    }
    // A revalidation also marks the entry as used, which the order of eviction needs.
    const isStale = now() - stored.usedAt > REVALIDATE_AFTER_MS || invalidatedSince(stored.usedAt);
    if (isStale) revalidateInBackground(mediaPath, stored);
    return servedFile(stored);
  }

  /** Fetches a file again without a waiting client. A failure is not repeated at once: a backend that is down must not fill the log. */
  function revalidateInBackground(mediaPath: string, known: StoredMedia): void {
    if (failures.has(mediaPath) || flights.has(mediaPath)) return;
    fetchOnce(mediaPath, known).catch((error: unknown) => {
      failures.set(mediaPath, true);
      log.warn(
        { err: error, path: mediaPath },
        'media: a file could not be revalidated, the stored file is served',
      );
    });
  }

  /** Downloads a file once for all callers. The download goes on when all clients have left, because the next client needs the file, too. */
  function fetchOnce(
    mediaPath: string,
    known: StoredMedia | null,
    signal?: AbortSignal,
  ): Promise<StoredMedia | null> {
    const work = () => download(mediaPath, known);
    // A caller without a signal never leaves, so the download is not aborted.
    const flight = flights.run(mediaPath, work);
    if (!signal) return flight;
    flight.catch(() => {});
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
      throw new BackendError('unreachable', `GET ${mediaPath}`, 'the file could not be fetched and stored', {
        cause: error,
      });
    }
  }

  return {
    get,
    async readStored(mediaPath) {
      return (await files.readWithBody(mediaPath))?.body ?? null;
    },
  };
}

function servedFile({ file, bodyBytes, sha256, meta }: StoredMedia): ServedFile {
  return { file, bodyBytes, type: meta.type, etag: `"${sha256}"` };
}

/** Passes a body on, and fails when it is larger than MAX_FILE_BYTES. */
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
