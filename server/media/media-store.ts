import type { Readable } from 'node:stream';
import type { HttpAnswer } from '../backend/http-call.ts';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { BackendError } from '../errors.ts';
import type { ServedFile } from '../http/send-file.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { NamedError } from '../ops/named-error.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { servedFile, UNKNOWN_TYPE } from './checked-files.ts';
import type { FileVersions } from './file-versions.ts';
import { createFailureLog, NotStorableError, refusedStorage } from './media-failures.ts';
import { MediaFiles, type MediaFilesOptions, type StoredMedia } from './media-files.ts';
import type { FetchFile } from './media-origins.ts';
import { mediaType, TYPE_BYTES } from './media-type.ts';
import { announcedBytes, readHead, wholeBody } from './whole-body.ts';

/** The age from which a stored media file is revalidated in the background, in ms. */
const REVALIDATE_AFTER_MS = 60_000;
const MAX_REMEMBERED = 1_000;
/** How long a missing file is not requested again, in ms, unless an event names the file. */
const MISSING_FOR_MS = 10_000;
const DOWNLOAD_TIMEOUT_MS = 60_000;
const TOO_LONG = new DOMException('The download has taken too long', 'TimeoutError');

export interface StoredFile extends ServedFile {
  /** Whether an event about the file has come since it was stored, and the new file cannot be fetched. */
  isOutdated?: boolean;
}

/** A media file that is streamed from the origin, because the disk or the origin prevents storage. */
export interface StreamedMedia {
  body: Readable;
  type: string;
  bodyBytes: number | null;
  /** The origin's directives that forbid storing, such as `no-store`; null without them. */
  refusal: string | null;
}

interface MediaStoreOptions extends MediaFilesOptions {
  fetchFile: FetchFile;
  /** A file is fetched again after an event about it, and revalidated after an event that names no file. */
  versions: FileVersions;
}

/** Fetches each file once, stores it on disk, and serves it even while the backend is down. */
export class MediaStore {
  readonly #fetchFile: FetchFile;
  readonly #versions: FileVersions;
  readonly #health: DiskHealth;
  readonly files: MediaFiles;
  readonly #flights = new SingleFlight();
  readonly #downloads = new Map<string, AbortController>();
  readonly #logFailure: ReturnType<typeof createFailureLog>;
  readonly #failures = boundedMap<true>(MAX_REMEMBERED, { ttl: REVALIDATE_AFTER_MS });
  readonly #notStorable = boundedMap<NotStorableError>(MAX_REMEMBERED, { ttl: REVALIDATE_AFTER_MS });
  /** The time at which each file was found missing, by path, in ms since the epoch. */
  readonly #missing = boundedMap<number>(MAX_REMEMBERED, { ttl: MISSING_FOR_MS });

  constructor(options: MediaStoreOptions) {
    this.#fetchFile = options.fetchFile;
    this.#versions = options.versions;
    this.#health = options.health;
    this.files = new MediaFiles(options);
    this.#logFailure = createFailureLog(options.log, options.health);
  }

  /**
   * @param mediaPath such as `/uploads/a.png`, or an absolute address accepted by the media policy.
   * @returns null if the file does not exist.
   * @throws BackendError, NotStorableError for a file not on disk that cannot be fetched or stored.
   */
  async get(mediaPath: string, signal: AbortSignal): Promise<StoredFile | null> {
    const refusal = this.#notStorable.get(mediaPath);
    if (refusal) throw refusal;
    if (this.isMissing(mediaPath)) return null;
    const stored = await this.files.read(mediaPath);
    if (!stored) return this.#fetchNew(mediaPath, null, signal);
    if (this.#versions.changedSince(mediaPath, stored.entry.usedAt))
      return this.#fetchNew(mediaPath, stored, signal);
    // Each revalidation renews `usedAt`, so it is also the time of the last revalidation.
    const { usedAt } = stored.entry;
    // A time in the future comes from a wrong system clock.
    const isStale =
      Math.abs(steadyNow() - usedAt) > REVALIDATE_AFTER_MS || this.#versions.anyChangedSince(usedAt);
    if (isStale) this.#revalidateInBackground(mediaPath, stored);
    return servedFile(stored);
  }

  isMissing(mediaPath: string): boolean {
    const since = this.#missing.get(mediaPath);
    return (
      since !== undefined &&
      !this.#versions.changedSince(mediaPath, since) &&
      !this.#versions.anyChangedSince(since)
    );
  }

  /** Opens a media file. A file that cannot be stored is streamed from the origin. @throws BackendError */
  async open(mediaPath: string, signal: AbortSignal): Promise<StoredFile | StreamedMedia | null> {
    try {
      return await this.get(mediaPath, signal);
    } catch (error) {
      const isPassedOn = error instanceof NotStorableError || (await this.#health.explains(error));
      if (signal.aborted || !isPassedOn) throw error;
      return this.#stream(mediaPath, signal);
    }
  }

  changed(mediaPath: string): void {
    this.#failures.delete(mediaPath);
    this.#notStorable.delete(mediaPath);
    this.#missing.delete(mediaPath);
    this.#downloads.get(mediaPath)?.abort(new OutdatedDownloadError());
  }

  /** Removes a file and treats it as missing for MISSING_FOR_MS, whatever the backend answers. */
  async remove(mediaPath: string): Promise<void> {
    this.changed(mediaPath);
    // Add 1 ms, so that the event itself does not count as a later event.
    this.#missing.set(mediaPath, steadyNow() + 1);
    await this.files.removeAll(mediaPath);
  }

  async #fetchNew(
    mediaPath: string,
    old: StoredMedia | null,
    signal: AbortSignal,
  ): Promise<StoredFile | null> {
    if (!this.#health.state.isWritable) throw notStored(mediaPath, this.#health.state.error);
    try {
      if (old && this.#failures.has(mediaPath)) return outdated(old);
      const fetched = await this.#fetchOnce(mediaPath, null, signal);
      return fetched && servedFile(fetched);
    } catch (error) {
      const isNoAnswer = error instanceof BackendError && !(error instanceof NotStorableError);
      if (signal.aborted || !isNoAnswer) throw error;
      if (this.#versions.isDeleted(mediaPath)) return null;
      if (!old || (await this.#health.explains(error))) throw error;
      this.#failures.set(mediaPath, true);
      return outdated(old);
    }
  }

  /** Revalidates in the background. Waits after a failure, so that an outage does not fill the log. */
  #revalidateInBackground(mediaPath: string, known: StoredMedia): void {
    if (this.#failures.has(mediaPath) || this.#flights.has(mediaPath)) return;
    this.#fetchOnce(mediaPath, known).catch(() => void this.#failures.set(mediaPath, true));
  }

  /** Downloads a file once for all callers. Continues if they leave, because the next client needs it too. */
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
    const flight = this.#flights.run(mediaPath, work);
    if (!signal) return flight;
    flight.catch(() => {});
    return this.#flights.run(mediaPath, work, signal);
  }

  async #downloadCurrent(mediaPath: string, known: StoredMedia | null): Promise<StoredMedia | null> {
    for (let before = known; ; before = null) {
      const mark = this.#versions.mark();
      const isCurrent = () => !this.#versions.changedAfter(mediaPath, mark);
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

  async #download(
    mediaPath: string,
    known: StoredMedia | null,
    isCurrent: () => boolean,
    signal: AbortSignal,
  ): Promise<StoredMedia | null> {
    const meta = known?.entry.meta;
    const conditions: Record<string, string> = {
      // Ask HTTP caches of the origin to revalidate, because they may have the old file.
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
      if (known) await this.files.removeAll(mediaPath);
      const refusal = new NotStorableError(mediaPath);
      this.#notStorable.set(mediaPath, refusal);
      throw refusal;
    }
    if (status === 304 && known) {
      answer.body.resume();
      await this.files.touch(mediaPath);
      return known;
    }
    const body = wholeBody(mediaPath, answer);
    if (!body) {
      this.#missing.set(mediaPath, startedAt);
      await this.files.removeAll(mediaPath);
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
      return await this.files.write(mediaPath, body, head, () => {
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

class OutdatedDownloadError extends NamedError {
  constructor() {
    super('An event about the file has come during its download');
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
