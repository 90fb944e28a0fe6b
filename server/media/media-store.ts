import { createHash, type Hash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { createFileStore, type StoredFile } from '../cache/file-store.ts';
import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import type { FetchFile } from './media-origins.ts';

/** A single medium may have this many bytes. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** A medium is asked for again, behind the answer, when it was last confirmed longer ago than this, in ms. */
const CONFIRM_AFTER_MS = 60_000;

/** A medium on the disk. */
export interface StoredMedia {
  /** Absolute path of the file. */
  file: string;
  type: string;
  /** Of the bytes, so that confirming the file does not change it. */
  etag: string;
}

export interface MediaStore {
  /**
   * @param mediaPath such as `/uploads/a.png`, or an absolute address on an allowed origin; checked.
   * @returns null where there is no such file.
   * @throws BackendError when the file is not on the disk and the backend cannot give it.
   */
  get(mediaPath: string, signal: AbortSignal): Promise<StoredMedia | null>;
}

/** Failures remembered at the most. */
const MAX_FAILURES = 1_000;

interface Meta {
  path: string;
  type: string;
  /** Hash of the bytes. */
  hash: string;
  etag: string | null;
  lastModified: string | null;
}

export interface MediaStoreOptions {
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
  const files = createFileStore<Meta>({ dir, maxBytes, now });
  const flights = new Map<string, Promise<StoredMedia | null>>();
  const confirmFailedAt = new Map<string, number>();

  async function get(mediaPath: string, signal: AbortSignal): Promise<StoredMedia | null> {
    const stored = await files.read(mediaPath);
    if (!stored) return singleFlight(mediaPath, () => download(mediaPath, null), signal);
    // A file in use is confirmed again and again, so when it was confirmed also says what is unused.
    if (now() - stored.usedAt > CONFIRM_AFTER_MS) confirm(mediaPath, stored);
    return described(stored);
  }

  /** Behind the answer, and not again at once when it fails: a backend that is down must not fill the log. */
  function confirm(mediaPath: string, known: StoredFile<Meta>): void {
    if (now() - (confirmFailedAt.get(mediaPath) ?? Number.NEGATIVE_INFINITY) < CONFIRM_AFTER_MS) return;
    singleFlight(mediaPath, () => download(mediaPath, known)).then(
      () => confirmFailedAt.delete(mediaPath),
      (error: unknown) => {
        if (confirmFailedAt.size >= MAX_FAILURES) confirmFailedAt.clear();
        confirmFailedAt.set(mediaPath, now());
        log.warn({ err: error, path: mediaPath }, 'media: could not be confirmed, the stored file serves');
      },
    );
  }

  /** One download a file; it goes on when a waiter leaves, for the next one. */
  async function singleFlight(key: string, work: () => Promise<StoredMedia | null>, signal?: AbortSignal) {
    let flight = flights.get(key);
    if (!flight) {
      flight = work().finally(() => flights.delete(key));
      flights.set(key, flight);
    }
    if (!signal) return flight;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([flight, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  async function download(mediaPath: string, known: StoredFile<Meta> | null): Promise<StoredMedia | null> {
    const conditions: Record<string, string> = {
      ...(known?.meta.etag ? { 'If-None-Match': known.meta.etag } : {}),
      ...(known?.meta.lastModified ? { 'If-Modified-Since': known.meta.lastModified } : {}),
    };
    const { status, headers, body } = await fetchFile(mediaPath, AbortSignal.timeout(60_000), conditions);
    if (status === 304 && known) {
      body.resume();
      await files.touch(mediaPath);
      return described(known);
    }
    if (status < 200 || status > 299) {
      body.destroy();
      if (status === 404 || status === 410) {
        if (known) await files.remove(mediaPath);
        return null;
      }
      throw new BackendError('status', `GET ${mediaPath}`, `answered ${status}`, { status });
    }
    const head = {
      path: mediaPath,
      type: headers['content-type'] ?? 'application/octet-stream',
      etag: headers.etag ?? null,
      lastModified: headers['last-modified'] ?? null,
    };
    return keep(head, body);
  }

  async function keep(head: Omit<Meta, 'hash'>, body: Readable): Promise<StoredMedia> {
    const hash = createHash('sha256');
    try {
      const bounded = body.pipe(measured(head.path, hash));
      body.once('error', error => bounded.destroy(error));
      return described(
        await files.write(head.path, bounded, () => ({ ...head, hash: hash.digest('base64url') })),
      );
    } catch (error) {
      body.destroy();
      if (error instanceof BackendError) throw error;
      throw new BackendError('unreachable', `GET ${head.path}`, 'the file could not be fetched and kept', {
        cause: error,
      });
    }
  }

  return { get };
}

function described({ file, meta }: StoredFile<Meta>): StoredMedia {
  return { file, type: meta.type, etag: `"${meta.hash}"` };
}

/** Passes a body on, hashing it, up to the bound. */
function measured(mediaPath: string, hash: Hash): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.byteLength;
      hash.update(chunk);
      if (bytes <= MAX_FILE_BYTES) return done(null, chunk);
      return done(
        new BackendError('too-large', `GET ${mediaPath}`, `a file of more than ${MAX_FILE_BYTES} bytes`),
      );
    },
  });
}
