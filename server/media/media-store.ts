import type { Readable } from 'node:stream';
import type { HttpAnswer } from '../backend/http-call.ts';
import { type DiskHealth, UNWATCHED } from '../cache/disk/disk-health.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { BackendError } from '../errors.ts';
import type { Encoding } from '../http/request/accept-encoding.ts';
import type { ServedFile } from '../http/send-file.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import type { FileEvents } from './file-events.ts';
import { createFailureLog, NotStorableError, refusedStorage } from './media-failures.ts';
import { MediaFiles, type StoredMedia, servedFile, UNKNOWN_TYPE } from './media-files.ts';
import type { FetchFile } from './media-origins.ts';
import { mediaType, TYPE_BYTES } from './media-type.ts';
import type { StreamedMedia } from './streamed-media.ts';
import { announcedBytes, readHead, wholeBody } from './whole-body.ts';

/** A stored medium is revalidated in the background after this time, in ms. */
const REVALIDATE_AFTER_MS = 60_000;
/** Most media whose failed revalidation, or whose refusal to be stored, is remembered. */
const MAX_REMEMBERED = 1_000;
/** A missing file is not asked for again within this time, in ms, unless an event about it comes. */
const MISSING_FOR_MS = 10_000;
const DOWNLOAD_TIMEOUT_MS = 60_000;
const TOO_LONG = new DOMException('The download has taken too long', 'TimeoutError');

export interface StoredFile extends ServedFile {
  /** Whether an event has come about the file since it was stored, and the new file cannot be fetched. */
  isOutdated?: boolean;
}

export interface MediaStoreOptions {
  dir: string;
  /** Bound of all files in bytes. The least recently used are removed first. */
  maxBytes: number;
  fetchFile: FetchFile;
  /** A file older than an event about it is fetched again. Any other event revalidates it. */
  events: FileEvents;
  health?: DiskHealth;
  log: Logger;
}

/** Each file is fetched once and stored on disk, and served while the backend is down. */
export class MediaStore {
  readonly #fetchFile: FetchFile;
  readonly #events: FileEvents;
  readonly #health: DiskHealth;
  readonly #files: MediaFiles;
  readonly #flights = new SingleFlight();
  readonly #downloads = new Map<string, AbortController>();
  readonly #logFailure: ReturnType<typeof createFailureLog>;
  readonly #failures = boundedMap<true>(MAX_REMEMBERED, { ttl: REVALIDATE_AFTER_MS });
  readonly #notStorable = boundedMap<NotStorableError>(MAX_REMEMBERED, { ttl: REVALIDATE_AFTER_MS });
  /** In ms since the epoch. */
  readonly #missing = boundedMap<number>(MAX_REMEMBERED, { ttl: MISSING_FOR_MS });

  constructor(options: MediaStoreOptions) {
    const { dir, maxBytes, fetchFile, events, health = UNWATCHED, log } = options;
    this.#fetchFile = fetchFile;
    this.#events = events;
    this.#health = health;
    this.#files = new MediaFiles({ dir, maxBytes, health, log });
    this.#logFailure = createFailureLog(log, health);
  }

  /**
   * @param mediaPath such as `/uploads/a.png`, or an absolute address that the media policy has accepted.
   * @returns null when the file does not exist.
   * @throws BackendError, NotStorableError when it is not on disk and cannot be fetched or stored.
   */
  async get(mediaPath: string, signal: AbortSignal): Promise<StoredFile | null> {
    const refusal = this.#notStorable.get(mediaPath);
    if (refusal) throw refusal;
    if (this.isMissing(mediaPath)) return null;
    const stored = await this.#files.read(mediaPath);
    if (!stored) return this.#fetchNew(mediaPath, null, signal);
    if (this.#events.changedSince(mediaPath, stored.entry.usedAt))
      return this.#fetchNew(mediaPath, stored, signal);
    // A revalidation also marks the entry as used, for the order of eviction.
    const { usedAt } = stored.entry;
    // A file from the future was stored while the system's clock was wrong.
    const isStale =
      Math.abs(steadyNow() - usedAt) > REVALIDATE_AFTER_MS || this.#events.anyChangedSince(usedAt);
    if (isStale) this.#revalidateInBackground(mediaPath, stored);
    return servedFile(stored);
  }

  isMissing(mediaPath: string): boolean {
    const since = this.#missing.get(mediaPath);
    return (
      since !== undefined &&
      !this.#events.changedSince(mediaPath, since) &&
      !this.#events.anyChangedSince(since)
    );
  }

  /** What cannot be stored is passed on as it is fetched. @throws BackendError */
  async open(mediaPath: string, signal: AbortSignal): Promise<StoredFile | StreamedMedia | null> {
    try {
      return await this.get(mediaPath, signal);
    } catch (error) {
      const isPassedOn = error instanceof NotStorableError || (await this.#health.explains(error));
      if (signal.aborted || !isPassedOn) throw error;
      return this.#stream(mediaPath, signal);
    }
  }

  encoded(mediaPath: string, file: ServedFile, encoding: Encoding): Promise<ServedFile> {
    return this.#files.encoded(mediaPath, file, encoding);
  }

  /** After an event about a file: restarts its download, and forgets its failures. */
  changed(mediaPath: string): void {
    this.#failures.delete(mediaPath);
    this.#notStorable.delete(mediaPath);
    this.#missing.delete(mediaPath);
    this.#downloads.get(mediaPath)?.abort(new OutdatedDownloadError());
  }

  /** Counts the file as missing for a moment, whatever the backend answers. */
  async remove(mediaPath: string): Promise<void> {
    this.changed(mediaPath);
    // The event itself, which may be of this very millisecond, must not end it.
    this.#missing.set(mediaPath, steadyNow() + 1);
    await this.#files.removeAll(mediaPath);
  }

  /**
   * @param old the stored file, which is served while the new one cannot be fetched.
   * @returns null for a file that is missing, and for a deleted one that cannot be fetched.
   */
  async #fetchNew(
    mediaPath: string,
    old: StoredMedia | null,
    signal: AbortSignal,
  ): Promise<StoredFile | null> {
    // A download that cannot be stored would be thrown away.
    if (!this.#health.state.isWritable) throw notStored(mediaPath, this.#health.state.error);
    try {
      if (old && this.#failures.has(mediaPath)) return outdated(old);
      const fetched = await this.#fetchOnce(mediaPath, null, signal);
      return fetched && servedFile(fetched);
    } catch (error) {
      const isNoAnswer = error instanceof BackendError && !(error instanceof NotStorableError);
      if (signal.aborted || !isNoAnswer) throw error;
      if (this.#events.isDeleted(mediaPath)) return null;
      if (!old || (await this.#health.explains(error))) throw error;
      this.#failures.set(mediaPath, true);
      return outdated(old);
    }
  }

  /** A failure is not repeated at once: a backend that is down must not fill the log. */
  #revalidateInBackground(mediaPath: string, known: StoredMedia): void {
    if (this.#failures.has(mediaPath) || this.#flights.has(mediaPath)) return;
    this.#fetchOnce(mediaPath, known).catch(() => void this.#failures.set(mediaPath, true));
  }

  /** Downloads a file once for all callers, and to the end: the next client needs it, too. */
  #fetchOnce(
    mediaPath: string,
    known: StoredMedia | null,
    signal?: AbortSignal,
  ): Promise<StoredMedia | null> {
    const work = async () => {
      try {
        return await this.#downloadCurrent(mediaPath, known);
      } catch (error) {
        await this.#logFailure(mediaPath, error, known !== null);
        throw error;
      }
    };
    // A caller without a signal never leaves, so the download is not aborted.
    const flight = this.#flights.run(mediaPath, work);
    if (!signal) return flight;
    flight.catch(() => {});
    return this.#flights.run(mediaPath, work, signal);
  }

  /** Downloads a file, and once more when an event about it has come meanwhile. */
  async #downloadCurrent(mediaPath: string, known: StoredMedia | null): Promise<StoredMedia | null> {
    for (let before = known; ; before = null) {
      const mark = this.#events.mark();
      const isCurrent = () => !this.#events.changedAfter(mediaPath, mark);
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(TOO_LONG), DOWNLOAD_TIMEOUT_MS);
      this.#downloads.set(mediaPath, controller);
      try {
        const media = await this.#download(mediaPath, before, isCurrent, controller.signal);
        if (isCurrent()) return media;
      } catch (error) {
        if (isCurrent()) throw error;
      } finally {
        clearTimeout(timer);
        this.#downloads.delete(mediaPath);
      }
    }
  }

  /** @param isCurrent whether no event about the file has come since. An older file is not stored. */
  async #download(
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
    const startedAt = steadyNow();
    const answer = await this.#fetchFile(mediaPath, signal, conditions);
    const { status, headers } = answer;
    if (!isCurrent()) {
      answer.body.destroy();
      throw new OutdatedDownloadError();
    }
    if (refusedStorage(headers) !== null) {
      answer.body.destroy();
      if (known) await this.#files.removeAll(mediaPath);
      const refusal = new NotStorableError(mediaPath);
      this.#notStorable.set(mediaPath, refusal);
      throw refusal;
    }
    if (status === 304 && known) {
      answer.body.resume();
      await this.#files.touch(mediaPath);
      return known;
    }
    const body = wholeBody(mediaPath, answer);
    if (!body) {
      this.#missing.set(mediaPath, startedAt);
      await this.#files.removeAll(mediaPath);
      return null;
    }
    return this.#store(mediaPath, answer, body, isCurrent);
  }

  async #store(
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
      return await this.#files.write(mediaPath, body, head, () => {
        if (!isCurrent()) throw new OutdatedDownloadError();
        return meta;
      });
    } catch (error) {
      whole.destroy();
      throw error instanceof BackendError ? error : notStored(mediaPath, error);
    }
  }

  async #stream(mediaPath: string, signal: AbortSignal): Promise<StreamedMedia | null> {
    const answer = await this.#fetchFile(mediaPath, signal);
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
}

class OutdatedDownloadError extends Error {
  constructor() {
    super('An event about the file has come during its download');
    this.name = 'OutdatedDownloadError';
  }
}

function outdated(media: StoredMedia): StoredFile {
  return { ...servedFile(media), isOutdated: true };
}

function notStored(mediaPath: string, cause: unknown): BackendError {
  return new BackendError('unreachable', `GET ${mediaPath}`, 'the file could not be fetched and stored', {
    cause,
  });
}
