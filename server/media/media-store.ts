import { type Readable, Transform } from 'node:stream';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import type { HttpAnswer } from '../backend/http-call.ts';
import { type DiskHealth, UNWATCHED } from '../cache/disk-health.ts';
import { createDiskStore, type DiskEntry } from '../cache/disk-store.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { BackendError } from '../errors.ts';
import type { ServedFile } from '../http/send-file.ts';
import type { Logger } from '../ops/log.ts';
import type { FetchFile } from './media-origins.ts';
import type { StreamedMedia } from './streamed-media.ts';

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
  /**
   * Opens a file for a visitor. While the disk cannot be written, a file that is not on disk is passed on as it is fetched.
   *
   * @throws BackendError when the file is not on disk and cannot be fetched.
   */
  open(mediaPath: string, signal: AbortSignal): Promise<ServedFile | StreamedMedia | null>;
  /** @returns the bytes of a stored file; null when it is not on disk or damaged. */
  readStored(mediaPath: string): Promise<Buffer | null>;
  /** Removes the stored file, because the backend has replaced or deleted it. The next request fetches it again. */
  remove(mediaPath: string): Promise<void>;
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
  /** Knows of a disk that cannot be written. */
  health?: DiskHealth;
  log: Logger;
  now?: () => number;
}

/** Creates the store of media. Each file is fetched once and stored on disk, so that it can be served while the backend is down. */
export function createMediaStore({
  dir,
  maxBytes,
  fetchFile,
  invalidatedSince = () => false,
  health = UNWATCHED,
  log,
  now = Date.now,
}: MediaStoreOptions): MediaStore {
  const decodeMeta = (value: unknown) => metaSchema.parse(value);
  const files = createDiskStore({ dir, maxBytes, decodeMeta, health, log, now });
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
      // A download that cannot be stored would be thrown away.
      if (!health.state.isWritable) throw notStored(mediaPath, health.state.error);
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
    fetchOnce(mediaPath, known).catch(async (error: unknown) => {
      failures.set(mediaPath, true);
      if (await health.explains(error)) return;
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
    const answer = await fetchFile(mediaPath, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS), conditions);
    const { status, headers, body } = answer;
    if (status === 304 && known) {
      body.resume();
      await files.touch(mediaPath);
      return known;
    }
    if (!exists(mediaPath, answer)) {
      if (known) await files.remove(mediaPath);
      return null;
    }
    const meta = {
      type: typeOf(answer),
      etag: headers.etag ?? null,
      lastModified: headers['last-modified'] ?? null,
    };
    return store(mediaPath, meta, body);
  }

  async function store(mediaPath: string, meta: Meta, body: Readable): Promise<StoredMedia> {
    try {
      return await files.write(mediaPath, bounded(mediaPath, body), () => meta);
    } catch (error) {
      body.destroy();
      throw error instanceof BackendError ? error : notStored(mediaPath, error);
    }
  }

  /** Fetches a file for one client. Its body ends with the client's signal, and after DOWNLOAD_TIMEOUT_MS at the latest. */
  async function stream(mediaPath: string, signal: AbortSignal): Promise<StreamedMedia | null> {
    const answer = await fetchFile(mediaPath, signal);
    if (!exists(mediaPath, answer)) return null;
    const body = bounded(mediaPath, answer.body);
    const timer = setTimeout(() => body.destroy(), DOWNLOAD_TIMEOUT_MS);
    body.once('close', () => {
      clearTimeout(timer);
      answer.body.destroy();
    });
    const length = Number(answer.headers['content-length'] ?? Number.NaN);
    return { body, type: typeOf(answer), bodyBytes: Number.isSafeInteger(length) ? length : null };
  }

  return {
    get,
    async open(mediaPath, signal) {
      try {
        return await get(mediaPath, signal);
      } catch (error) {
        if (signal.aborted || !(await health.explains(error))) throw error;
        return stream(mediaPath, signal);
      }
    },
    async remove(mediaPath) {
      failures.delete(mediaPath);
      await files
        .remove(mediaPath)
        .catch((error: unknown) =>
          log.warn({ err: error, path: mediaPath }, 'media: a file could not be removed'),
        );
    },
    async readStored(mediaPath) {
      return (await files.readWithBody(mediaPath))?.body ?? null;
    },
  };
}

function servedFile({ file, bodyBytes, sha256, meta }: StoredMedia): ServedFile {
  return { file, bodyBytes, type: meta.type, etag: `"${sha256}"` };
}

/** @returns whether an answer holds a file; false when the file does not exist. @throws BackendError for any other answer. */
function exists(mediaPath: string, { status, body }: HttpAnswer): boolean {
  if (status >= 200 && status <= 299) return true;
  body.destroy();
  if (status === 404 || status === 410) return false;
  throw new BackendError('status', `GET ${mediaPath}`, `answered ${status}`, { status });
}

function typeOf({ headers }: HttpAnswer): string {
  return headers['content-type'] ?? 'application/octet-stream';
}

function notStored(mediaPath: string, cause: unknown): BackendError {
  return new BackendError('unreachable', `GET ${mediaPath}`, 'the file could not be fetched and stored', {
    cause,
  });
}

/** @returns a body that fails together with its source, and when it is larger than MAX_FILE_BYTES. */
function bounded(mediaPath: string, body: Readable): Readable {
  const limited = body.pipe(bodyLimit(mediaPath));
  body.once('error', error => limited.destroy(error));
  return limited;
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
