import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackendError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { BackendClient } from './backend-client.ts';

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
   * @param mediaPath such as `/uploads/a.png`, checked.
   * @returns null where the backend has no such file.
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
  backend: BackendClient;
  log: Logger;
  now?: () => number;
}

/**
 * The backend's media, fetched once and kept on disk, so that pictures outlive the backend. A file's modification time
 * says when the backend last confirmed it; a file in use is confirmed again and again, so it also says what is unused.
 */
export function createMediaStore({
  dir,
  maxBytes,
  backend,
  log,
  now = Date.now,
}: MediaStoreOptions): MediaStore {
  const flights = new Map<string, Promise<StoredMedia | null>>();
  const confirmFailedAt = new Map<string, number>();
  let storedBytes: number | null = null;

  async function get(mediaPath: string, signal: AbortSignal): Promise<StoredMedia | null> {
    const stored = await readStored(mediaPath);
    if (!stored) return singleFlight(mediaPath, () => download(mediaPath, null), signal);
    if (now() - stored.confirmedAt > CONFIRM_AFTER_MS) {
      confirm(mediaPath, stored.meta);
    }
    return describe(stored.file, stored.meta);
  }

  /** Behind the answer, and not again at once when it fails: a backend that is down must not fill the log. */
  function confirm(mediaPath: string, known: Meta): void {
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

  async function readStored(mediaPath: string) {
    const file = fileOf(mediaPath);
    try {
      const [meta, stats] = await Promise.all([readFile(`${file}.json`, 'utf8'), stat(file)]);
      return { file, meta: JSON.parse(meta) as Meta, confirmedAt: stats.mtimeMs };
    } catch {
      return null;
    }
  }

  async function download(mediaPath: string, known: Meta | null): Promise<StoredMedia | null> {
    const conditions: Record<string, string> = {
      // Without it fetch adds 'no-cache' to a conditional request, which servers take as 'send it all again'.
      'Cache-Control': 'max-age=0',
      ...(known?.etag ? { 'If-None-Match': known.etag } : {}),
      ...(known?.lastModified ? { 'If-Modified-Since': known.lastModified } : {}),
    };
    const response = await backend.getFile(mediaPath, AbortSignal.timeout(60_000), conditions);
    const file = fileOf(mediaPath);
    if (response.status === 304 && known) {
      await response.body?.cancel();
      await utimes(file, now() / 1_000, now() / 1_000);
      return describe(file, known);
    }
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      if (response.status === 404 || response.status === 410) {
        if (known) await forget(file);
        return null;
      }
      throw new BackendError('status', `GET ${mediaPath}`, `answered ${response.status}`, {
        status: response.status,
      });
    }
    const head = {
      path: mediaPath,
      type: response.headers.get('content-type') ?? 'application/octet-stream',
      etag: response.headers.get('etag'),
      lastModified: response.headers.get('last-modified'),
    };
    const body = Readable.fromWeb(response.body as import('node:stream/web').ReadableStream);
    return describe(file, await store(file, head, body));
  }

  /** Written beside its place and renamed, so that a half file is never served. */
  async function store(file: string, head: Omit<Meta, 'hash'>, body: Readable): Promise<Meta> {
    await mkdir(dir, { recursive: true });
    const temporary = `${file}.${process.pid}.${now()}.part`;
    try {
      const hash = createHash('sha256');
      await pipeline(body, measured(head.path, hash), createWriteStream(temporary));
      const meta: Meta = { ...head, hash: hash.digest('base64url') };
      await writeFile(`${temporary}.json`, JSON.stringify(meta));
      await rename(`${temporary}.json`, `${file}.json`);
      await rename(temporary, file);
      await account(file);
      return meta;
    } catch (error) {
      await Promise.all([rm(temporary, { force: true }), rm(`${temporary}.json`, { force: true })]);
      if (error instanceof BackendError) throw error;
      throw new BackendError('unreachable', `GET ${head.path}`, 'the file could not be fetched and kept', {
        cause: error,
      });
    }
  }

  async function account(file: string): Promise<void> {
    const { size } = await stat(file);
    storedBytes = (storedBytes ?? (await totalBytes())) + size;
    if (storedBytes > maxBytes) await evict();
  }

  async function totalBytes(): Promise<number> {
    return (await storedFiles()).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async function storedFiles() {
    const names = (await readdir(dir)).filter(name => !name.includes('.'));
    return Promise.all(
      names.map(async name => {
        const file = path.join(dir, name);
        const { size, mtimeMs } = await stat(file);
        return { file, bytes: size, mtimeMs };
      }),
    );
  }

  /** Makes room down to nine tenths of the bound, so that not every further file evicts again. */
  async function evict(): Promise<void> {
    const files = (await storedFiles()).sort((a, b) => a.mtimeMs - b.mtimeMs);
    let bytes = files.reduce((sum, entry) => sum + entry.bytes, 0);
    for (const entry of files) {
      if (bytes <= maxBytes * 0.9) break;
      await forget(entry.file);
      bytes -= entry.bytes;
    }
    storedBytes = bytes;
  }

  async function forget(file: string): Promise<void> {
    await Promise.all([rm(file, { force: true }), rm(`${file}.json`, { force: true })]);
  }

  /** The name says nothing of the path, so no path can lead out of the folder. */
  function fileOf(mediaPath: string): string {
    return path.join(dir, createHash('sha256').update(mediaPath).digest('hex'));
  }

  return { get };
}

function describe(file: string, { type, hash }: Meta): StoredMedia {
  return { file, type, etag: `"${hash}"` };
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
