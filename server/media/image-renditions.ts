import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { RenditionFormat } from '../../shared/content/image.ts';
import { createFileStore, type StoredFile } from '../cache/file-store.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { BackendError } from '../errors.ts';
import type { ServedFile } from '../http/send-file.ts';
import type { Logger } from '../ops/log.ts';
import { ImageRefusedError } from './image-refused-error.ts';
import { MAX_INPUT_BYTES } from './is-scaled.ts';
import type { MediaStore, StoredMedia } from './media-store.ts';
import { loadScaler, type ScaleImage } from './scale-image.ts';
import { createWorkQueue, QueueFullError } from './work-queue.ts';

/** Scaling is the heaviest work of the process: this much at once, and so many requests that wait for their turn. */
const AT_ONCE = 2;
const MAX_WAITING = 100;
/** Refusals remembered, so that a broken picture is not tried again at each request. */
const MAX_REFUSALS = 1_000;
/** A rendition in use is marked again when its mark is older than this, in ms. */
const MARK_AFTER_MS = 3_600_000;

/** One rendition of a picture. */
export interface RenditionRequest {
  /** As the page has it: a path below `/uploads/` or an absolute address, checked against the media policy. */
  src: string;
  /** One of `RENDITION_WIDTHS`. */
  width: number;
  format: RenditionFormat;
}

/** What became of a request for a rendition: `hit`: it was on the disk. */
export type RenditionOutcome =
  | 'hit'
  | 'made'
  | 'refused'
  | 'busy'
  | 'absent'
  | 'unavailable'
  | 'failed'
  | 'given-up';

export interface ImageRenditions {
  /**
   * @returns the rendition from the disk, or made now; null where there is no such picture, and `'unavailable'` where this
   * machine cannot scale pictures at all.
   * @throws ImageRefusedError, QueueFullError, BackendError; the signal's reason.
   */
  get(request: RenditionRequest, signal: AbortSignal): Promise<ServedFile | null | 'unavailable'>;
  /** Pictures that are being scaled, and that wait for their turn. */
  readonly work: { running: number; waiting: number };
}

interface Meta {
  src: string;
  /** The ETag of the picture it was made from. */
  source: string;
  hash: string;
}

export interface ImageRenditionsOptions {
  dir: string;
  /** Bound of all renditions in bytes; those unused for longest go first. */
  maxBytes: number;
  media: MediaStore;
  log: Logger;
  onOutcome?: (outcome: RenditionOutcome) => void;
  /** Times the scaling. */
  timed?: <T>(work: () => Promise<T>) => Promise<T>;
  /** How the scaler is loaded; a test may have none. */
  load?: () => Promise<ScaleImage>;
}

/** Renditions of pictures that come without any: made when first asked for, one at a time each, and kept on disk. */
export function createImageRenditions(options: ImageRenditionsOptions): ImageRenditions {
  const { dir, maxBytes, media, log, load = loadScaler } = options;
  const { onOutcome = () => {}, timed = work => work() } = options;
  const files = createFileStore<Meta>({ dir, maxBytes });
  const flights = new SingleFlight();
  const queue = createWorkQueue({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING });
  const refusals = new LRUCache<string, ImageRefusedError>({ max: MAX_REFUSALS });
  let scaler: Promise<ScaleImage | null> | null = null;

  function loaded(): Promise<ScaleImage | null> {
    scaler ??= load().catch((error: unknown) => {
      log.warn({ err: error }, 'images: sharp cannot be loaded, pictures are served as they are');
      return null;
    });
    return scaler;
  }

  /** The picture itself; null where the backend has none, `'unknown'` where it cannot say and there is no copy. */
  async function sourceOf(src: string, signal: AbortSignal): Promise<StoredMedia | null | BackendError> {
    try {
      return await media.get(src, signal);
    } catch (error) {
      if (error instanceof BackendError) return error;
      throw error;
    }
  }

  async function make(
    { src, width, format }: RenditionRequest,
    source: StoredMedia,
    scale: ScaleImage,
    signal: AbortSignal,
  ): Promise<StoredFile<Meta>> {
    const known = refusals.get(`${source.etag} ${src}`);
    if (known) throw known;
    try {
      if ((await stat(source.file)).size > MAX_INPUT_BYTES)
        throw new ImageRefusedError(413, `Files of more than ${MAX_INPUT_BYTES} bytes are not scaled.`);
      const bytes = await queue.run(() => timed(() => scale(source.file, width, format)), signal);
      const hash = createHash('sha256').update(bytes).digest('base64url');
      return await files.write(keyOf({ src, width, format }), Readable.from([bytes]), () => ({
        src,
        source: source.etag,
        hash,
      }));
    } catch (error) {
      if (error instanceof ImageRefusedError) {
        refusals.set(`${source.etag} ${src}`, error);
        log.warn({ err: error, src }, 'images: a picture cannot be scaled');
      }
      throw error;
    }
  }

  async function find(
    request: RenditionRequest,
    signal: AbortSignal,
  ): Promise<[RenditionOutcome, StoredFile<Meta> | null]> {
    const key = keyOf(request);
    const [stored, source, scale] = await Promise.all([
      files.read(key),
      sourceOf(request.src, signal),
      loaded(),
    ]);
    if (source === null) return ['absent', null];
    if (source instanceof BackendError) {
      // The last good rendition outlives the picture's own copy.
      if (stored) return ['hit', stored];
      throw source;
    }
    if (stored?.meta.source === source.etag) {
      if (Date.now() - stored.usedAt > MARK_AFTER_MS) await files.touch(key);
      return ['hit', stored];
    }
    if (!scale) return ['unavailable', null];
    const flight = `${source.etag} ${key}`;
    return ['made', await flights.run(flight, own => make(request, source, scale, own), signal)];
  }

  return {
    async get(request, signal) {
      try {
        const [outcome, file] = await find(request, signal);
        onOutcome(outcome);
        if (file) return served(request, file);
        return outcome === 'unavailable' ? outcome : null;
      } catch (error) {
        onOutcome(signal.aborted ? 'given-up' : outcomeOf(error));
        throw error;
      }
    },
    get work() {
      return queue.work;
    },
  };
}

function outcomeOf(error: unknown): RenditionOutcome {
  if (error instanceof ImageRefusedError) return 'refused';
  return error instanceof QueueFullError ? 'busy' : 'failed';
}

function keyOf({ src, width, format }: RenditionRequest): string {
  return `${width}.${format} ${src}`;
}

function served({ format }: RenditionRequest, { file, meta }: StoredFile<Meta>): ServedFile {
  return { file, type: `image/${format}`, etag: `"${meta.hash}"` };
}
