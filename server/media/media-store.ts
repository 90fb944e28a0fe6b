import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { HttpAnswer } from '../backend/http-call.ts';
import { type DiskHealth, UNWATCHED } from '../cache/disk-health.ts';
import { createDiskStore, type DiskEntry } from '../cache/disk-store.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { BackendError } from '../errors.ts';
import type { Encoding } from '../http/accept-encoding.ts';
import type { ServedFile } from '../http/send-file.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { NotStorableError, refusedStorage } from './cache-directives.ts';
import { CheckedBodies, type CheckedBody } from './checked-bodies.ts';
import { compressFile, type StoredEncoding } from './compress-file.ts';
import { createFailureLog } from './failure-log.ts';
import { type FileEvents, NO_FILE_EVENTS } from './file-events.ts';
import type { FetchFile } from './media-origins.ts';
import { mediaType, TYPE_BYTES } from './media-type.ts';
import type { StreamedMedia } from './streamed-media.ts';
import { announcedBytes, readHead, wholeBody } from './whole-body.ts';

/** A stored medium is revalidated in the background when its last revalidation is older than this, in ms. */
const REVALIDATE_AFTER_MS = 60_000;
/** Most media whose failed revalidation is remembered, so that it is not repeated at once. The same bound for media that may not be stored. */
const MAX_REMEMBERED = 1_000;
/** A file that its origin does not have is not asked for again within this time, in ms. An event about the file ends it. */
const MISSING_FOR_MS = 10_000;
/** Longest download, in ms. */
const DOWNLOAD_TIMEOUT_MS = 60_000;
/** The type of a file that the site does not serve. */
const UNKNOWN_TYPE = 'application/octet-stream';
const TOO_LONG = new DOMException('The download has taken too long', 'TimeoutError');

export interface MediaStore {
  /**
   * @param mediaPath such as `/uploads/a.png`, or an absolute address that the media policy has accepted.
   * @returns the file on disk, with an ETag of its bytes and the type that its bytes have; null when it does not exist.
   * @throws BackendError when the file is not on disk and cannot be fetched; NotStorableError when its origin forbids to store it.
   */
  get(mediaPath: string, signal: AbortSignal): Promise<StoredFile | null>;
  /** @returns whether a file was found to be missing a moment ago, so that nothing else need be looked for. */
  isMissing(mediaPath: string): boolean;
  /**
   * Opens a file for a visitor. A file that may not be stored is passed on as it is fetched, and so is every file that is not on disk while
   * the disk cannot be written.
   *
   * @throws BackendError when the file is not on disk and cannot be fetched.
   */
  open(mediaPath: string, signal: AbortSignal): Promise<StoredFile | StreamedMedia | null>;
  /** @returns a stored file in an encoding, compressed once and stored as well; the file itself where it cannot be compressed. */
  encoded(mediaPath: string, file: ServedFile, encoding: Encoding): Promise<ServedFile>;
  /**
   * Ends what was begun before an event about a file: a download in flight begins again, and what is known about failed ones is forgotten. The
   * events themselves tell that the stored file is outdated.
   */
  changed(mediaPath: string): void;
  /** Removes the stored file, because the backend has deleted it. It counts as missing for a moment, whatever the backend answers. */
  remove(mediaPath: string): Promise<void>;
}

/** A file of the store. */
export interface StoredFile extends ServedFile {
  /** Whether an event has come about the file since it was stored, and the new file cannot be fetched. */
  isOutdated?: boolean;
}

const metaSchema = z.object({
  /** As the origin declares it. */
  type: z.string(),
  /** The origin's validators, for conditional requests. */
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** The ETag of the file that this one is the compressed form of. */
  source: z.string().optional(),
});
type Meta = z.infer<typeof metaSchema>;

/** A stored medium that is as it was written. */
interface StoredMedia {
  readonly entry: DiskEntry<Meta>;
  readonly body: CheckedBody;
}

export interface MediaStoreOptions {
  /** Absolute path. */
  dir: string;
  /** Bound of all files in bytes. The files unused for longest are removed first. */
  maxBytes: number;
  fetchFile: FetchFile;
  /** A file that was stored before an event about it is fetched again before it is served, and after any other event it is revalidated. */
  events?: FileEvents;
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
  events = NO_FILE_EVENTS,
  health = UNWATCHED,
  log,
  now = steadyNow,
}: MediaStoreOptions): MediaStore {
  const decodeMeta = (value: unknown) => metaSchema.parse(value);
  const files = createDiskStore({ dir, maxBytes, decodeMeta, health, log, now, durable: true });
  const bodies = new CheckedBodies();
  const flights = new SingleFlight();
  /** The downloads in flight, by their paths. */
  const downloads = new Map<string, AbortController>();
  const logFailure = createFailureLog(log, health);
  const remembered = { ttl: REVALIDATE_AFTER_MS, ttlResolution: 0, perf: { now } };
  const failures = boundedMap<true>(MAX_REMEMBERED, remembered);
  const notStorable = boundedMap<NotStorableError>(MAX_REMEMBERED, remembered);
  /** When files were found to be missing, in ms since the epoch. */
  const missing = boundedMap<number>(MAX_REMEMBERED, { ...remembered, ttl: MISSING_FOR_MS });

  async function read(key: string): Promise<StoredMedia | null> {
    const entry = await files.read(key);
    if (!entry) return null;
    try {
      const body = await bodies.check(entry, entry.meta.type);
      if (body) return { entry, body };
      log.warn({ path: key }, 'media: a stored file is not as it was written and counts as absent');
    } catch (error) {
      log.warn({ err: error, path: key }, 'media: a stored file cannot be read and counts as absent');
    }
    return null;
  }

  async function get(mediaPath: string, signal: AbortSignal): Promise<StoredFile | null> {
    const refusal = notStorable.get(mediaPath);
    if (refusal) throw refusal;
    if (isMissing(mediaPath)) return null;
    const stored = await read(mediaPath);
    if (!stored) return fetchNew(mediaPath, null, signal);
    if (events.changedSince(mediaPath, stored.entry.usedAt)) return fetchNew(mediaPath, stored, signal);
    // A revalidation also marks the entry as used, which the order of eviction needs.
    const { usedAt } = stored.entry;
    // A file from the future was stored while the system's clock was wrong.
    const isStale = Math.abs(now() - usedAt) > REVALIDATE_AFTER_MS || events.anyChangedSince(usedAt);
    if (isStale) revalidateInBackground(mediaPath, stored);
    return servedFile(stored);
  }

  function isMissing(mediaPath: string): boolean {
    const since = missing.get(mediaPath);
    return since !== undefined && !events.changedSince(mediaPath, since) && !events.anyChangedSince(since);
  }

  /**
   * Fetches a file that is not on disk, or that is older than an event about it.
   *
   * @param old the stored file, which is served while the new one cannot be fetched.
   * @returns null for a file that is missing, and for a deleted one that cannot be fetched.
   */
  async function fetchNew(
    mediaPath: string,
    old: StoredMedia | null,
    signal: AbortSignal,
  ): Promise<StoredFile | null> {
    // A download that cannot be stored would be thrown away.
    if (!health.state.isWritable) throw notStored(mediaPath, health.state.error);
    try {
      if (old && failures.has(mediaPath)) return outdated(old);
      const fetched = await fetchOnce(mediaPath, null, signal);
      return fetched && servedFile(fetched);
    } catch (error) {
      const isNoAnswer = error instanceof BackendError && !(error instanceof NotStorableError);
      if (signal.aborted || !isNoAnswer) throw error;
      if (events.isDeleted(mediaPath)) return null;
      if (!old || (await health.explains(error))) throw error;
      failures.set(mediaPath, true);
      return outdated(old);
    }
  }

  /** Fetches a file again without a waiting client. A failure is not repeated at once: a backend that is down must not fill the log. */
  function revalidateInBackground(mediaPath: string, known: StoredMedia): void {
    if (failures.has(mediaPath) || flights.has(mediaPath)) return;
    fetchOnce(mediaPath, known).catch(() => void failures.set(mediaPath, true));
  }

  /** Downloads a file once for all callers. The download goes on when all clients have left, because the next client needs the file, too. */
  function fetchOnce(
    mediaPath: string,
    known: StoredMedia | null,
    signal?: AbortSignal,
  ): Promise<StoredMedia | null> {
    const work = async () => {
      try {
        return await downloadCurrent(mediaPath, known);
      } catch (error) {
        await logFailure(mediaPath, error, known !== null);
        throw error;
      }
    };
    // A caller without a signal never leaves, so the download is not aborted.
    const flight = flights.run(mediaPath, work);
    if (!signal) return flight;
    flight.catch(() => {});
    return flights.run(mediaPath, work, signal);
  }

  /** Downloads a file, and once more when an event about it has come meanwhile. */
  async function downloadCurrent(mediaPath: string, known: StoredMedia | null): Promise<StoredMedia | null> {
    for (let before = known; ; before = null) {
      const mark = events.mark();
      const isCurrent = () => !events.changedAfter(mediaPath, mark);
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(TOO_LONG), DOWNLOAD_TIMEOUT_MS);
      downloads.set(mediaPath, controller);
      try {
        const media = await download(mediaPath, before, isCurrent, controller.signal);
        if (isCurrent()) return media;
      } catch (error) {
        if (isCurrent()) throw error;
      } finally {
        clearTimeout(timer);
        downloads.delete(mediaPath);
      }
    }
  }

  /** @param isCurrent whether no event about the file has come since. A file of before an event is not stored. */
  async function download(
    mediaPath: string,
    known: StoredMedia | null,
    isCurrent: () => boolean,
    signal: AbortSignal,
  ): Promise<StoredMedia | null> {
    const meta = known?.entry.meta;
    const conditions: Record<string, string> = {
      // Caches between the site and the origin may have the file of before the event.
      ...(known ? {} : { 'Cache-Control': 'no-cache' }),
      ...(meta?.etag ? { 'If-None-Match': meta.etag } : {}),
      ...(meta?.lastModified ? { 'If-Modified-Since': meta.lastModified } : {}),
    };
    const startedAt = now();
    const answer = await fetchFile(mediaPath, signal, conditions);
    const { status, headers } = answer;
    if (!isCurrent()) {
      answer.body.destroy();
      throw new OutdatedDownloadError();
    }
    if (refusedStorage(headers) !== null) {
      answer.body.destroy();
      if (known) await files.remove(mediaPath);
      const refusal = new NotStorableError(mediaPath);
      notStorable.set(mediaPath, refusal);
      throw refusal;
    }
    if (status === 304 && known) {
      answer.body.resume();
      await files.touch(mediaPath);
      return known;
    }
    const body = wholeBody(mediaPath, answer);
    if (!body) {
      missing.set(mediaPath, startedAt);
      await files.remove(mediaPath);
      return null;
    }
    return store(mediaPath, answer, body, isCurrent);
  }

  async function store(
    mediaPath: string,
    { headers }: HttpAnswer,
    whole: Readable,
    isCurrent: () => boolean,
  ): Promise<StoredMedia> {
    const meta = {
      type: headers['content-type'] ?? UNKNOWN_TYPE,
      etag: headers.etag ?? null,
      lastModified: headers['last-modified'] ?? null,
    };
    try {
      const { head, body } = await readHead(whole, TYPE_BYTES);
      const entry = await files.write(mediaPath, body, () => {
        if (!isCurrent()) throw new OutdatedDownloadError();
        return meta;
      });
      return { entry, body: bodies.note(entry, head, meta.type) };
    } catch (error) {
      whole.destroy();
      throw error instanceof BackendError ? error : notStored(mediaPath, error);
    }
  }

  /** Fetches a file for one client. Its body ends with the client's signal, and after DOWNLOAD_TIMEOUT_MS at the latest. */
  async function stream(mediaPath: string, signal: AbortSignal): Promise<StreamedMedia | null> {
    const answer = await fetchFile(mediaPath, signal);
    const whole = wholeBody(mediaPath, answer);
    if (!whole) return null;
    const timer = setTimeout(() => whole.destroy(), DOWNLOAD_TIMEOUT_MS);
    whole.once('close', () => clearTimeout(timer));
    const { head, body } = await readHead(whole, TYPE_BYTES);
    return {
      body,
      type: mediaType(head, answer.headers['content-type'] ?? UNKNOWN_TYPE) ?? UNKNOWN_TYPE,
      bodyBytes: announcedBytes(answer),
      refusal: refusedStorage(answer.headers),
    };
  }

  function changed(mediaPath: string): void {
    failures.delete(mediaPath);
    notStorable.delete(mediaPath);
    missing.delete(mediaPath);
    downloads.get(mediaPath)?.abort(new OutdatedDownloadError());
  }

  return {
    get,
    isMissing,
    async open(mediaPath, signal) {
      try {
        return await get(mediaPath, signal);
      } catch (error) {
        const isPassedOn = error instanceof NotStorableError || (await health.explains(error));
        if (signal.aborted || !isPassedOn) throw error;
        return stream(mediaPath, signal);
      }
    },
    async encoded(mediaPath, file, encoding) {
      if (encoding === 'identity' || !health.state.isWritable) return file;
      const key = encodedKey(encoding, mediaPath);
      const stored = await read(key);
      if (stored?.entry.meta.source === file.etag)
        return { ...servedFile(stored), type: file.type, encoding };
      const work = async () => {
        const bytes = await compressFile(file, encoding);
        if (!bytes) return null;
        const meta = { type: file.type, etag: null, lastModified: null, source: file.etag };
        const entry = await files.write(key, bytes, () => meta);
        return { entry, body: bodies.note(entry, bytes, file.type) };
      };
      // A file that cannot be compressed or stored is sent as it is.
      const compressed = await flights.run(`${file.etag} ${key}`, work).catch(() => null);
      return compressed ? { ...servedFile(compressed), type: file.type, encoding } : file;
    },
    changed,
    async remove(mediaPath) {
      changed(mediaPath);
      // The event itself, which may be of this very millisecond, must not end it.
      missing.set(mediaPath, now() + 1);
      const keys = [mediaPath, ...ENCODINGS.map(encoding => encodedKey(encoding, mediaPath))];
      await Promise.all(keys.map(files.remove)).catch((error: unknown) =>
        log.warn({ err: error, path: mediaPath }, 'media: a file could not be removed'),
      );
    },
  };
}

/** The download is of a file that has changed meanwhile. */
class OutdatedDownloadError extends Error {
  constructor() {
    super('An event about the file has come during its download');
    this.name = 'OutdatedDownloadError';
  }
}

const ENCODINGS: readonly StoredEncoding[] = ['br', 'gzip'];

function encodedKey(encoding: StoredEncoding, mediaPath: string): string {
  return `${encoding} ${mediaPath}`;
}

function servedFile({ entry: { file, bodyBytes, sha256 }, body }: StoredMedia): ServedFile {
  return { file, bodyBytes, type: body.type ?? UNKNOWN_TYPE, etag: `"${sha256}"` };
}

function outdated(media: StoredMedia): StoredFile {
  return { ...servedFile(media), isOutdated: true };
}

function notStored(mediaPath: string, cause: unknown): BackendError {
  return new BackendError('unreachable', `GET ${mediaPath}`, 'the file could not be fetched and stored', {
    cause,
  });
}
