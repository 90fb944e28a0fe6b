import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import type { RenditionFormat } from '../../shared/content/image.ts';
import { type DiskHealth, UNWATCHED } from '../cache/disk-health.ts';
import { createDiskStore, type DiskEntry } from '../cache/disk-store.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { BackendError } from '../errors.ts';
import type { ServedFile } from '../http/send-file.ts';
import type { Logger } from '../ops/log.ts';
import { ImageRefusedError } from './image-refused-error.ts';
import { MAX_INPUT_BYTES } from './is-scaled.ts';
import type { MediaStore } from './media-store.ts';
import { loadScaler, type ScaleImage } from './scale-image.ts';
import { createWorkQueue, QueueFullError } from './work-queue.ts';

/** Pictures scaled at a time. Scaling is the heaviest work of the process. */
const CONCURRENCY = 2;
/** Most pictures that may wait to be scaled. */
const MAX_WAITING = 100;
/** Most refusals that are remembered, so that a broken picture is not decoded again at each request. */
const MAX_REFUSALS = 1_000;
/** How long a refusal is remembered, in ms. */
const REFUSAL_TTL_MS = 24 * 3_600_000;
/** A rendition that is served is marked as used when its last mark is older than this, in ms. */
const TOUCH_AFTER_MS = 3_600_000;

/** One rendition of a picture. */
export interface RenditionRequest {
  /** A path below `/uploads/` or an absolute address, as the page has it. The media policy has accepted it. */
  src: string;
  /** One of `RENDITION_WIDTHS`. */
  width: number;
  format: RenditionFormat;
}

/** The outcome of a request for a rendition, as a label of the metrics. `hit`: the rendition was on disk. `made`: it was scaled now. */
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
   * @returns the rendition, from disk or scaled now; null when the picture does not exist; `'unavailable'` when this machine cannot
   *   scale pictures, or cannot store them.
   * @throws ImageRefusedError, QueueFullError, BackendError; the signal's reason.
   */
  get(request: RenditionRequest, signal: AbortSignal): Promise<ServedFile | null | 'unavailable'>;
  /** How many pictures are being scaled, and how many wait. */
  readonly work: { running: number; waiting: number };
}

/** `source`: the ETag of the original picture. */
const metaSchema = z.object({ source: z.string() });
type StoredRendition = DiskEntry<z.infer<typeof metaSchema>>;

export interface ImageRenditionsOptions {
  dir: string;
  /** Bound of all renditions in bytes. The renditions unused for longest are removed first. */
  maxBytes: number;
  media: MediaStore;
  /** Knows of a disk that cannot be written. */
  health?: DiskHealth;
  log: Logger;
  onOutcome?: (outcome: RenditionOutcome) => void;
  /** Runs the scaling of a picture, so that metrics can time it. */
  timed?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Loads the scaler. Replaced in tests. */
  load?: () => Promise<ScaleImage>;
}

/** Creates the renditions of pictures that the backend has no renditions of. Each is scaled at its first request and stored on disk. */
export function createImageRenditions(options: ImageRenditionsOptions): ImageRenditions {
  const { dir, maxBytes, media, health = UNWATCHED, log, load = loadScaler } = options;
  const { onOutcome = () => {}, timed = work => work() } = options;
  const decodeMeta = (value: unknown) => metaSchema.parse(value);
  const files = createDiskStore({ dir, maxBytes, decodeMeta, health, log });
  const flights = new SingleFlight();
  const queue = createWorkQueue({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING });
  const refusals = new LRUCache<string, ImageRefusedError>({ max: MAX_REFUSALS, ttl: REFUSAL_TTL_MS });
  let scaler: Promise<ScaleImage | null> | null = null;

  function loaded(): Promise<ScaleImage | null> {
    scaler ??= load().catch((error: unknown) => {
      log.warn({ err: error }, 'images: sharp cannot be loaded, pictures are served as they are');
      return null;
    });
    return scaler;
  }

  /** @returns the original picture; null when it does not exist; the error when it is not on disk and cannot be fetched. */
  async function sourceOf(src: string, signal: AbortSignal): Promise<ServedFile | null | BackendError> {
    try {
      return await media.get(src, signal);
    } catch (error) {
      if (error instanceof BackendError) return error;
      throw error;
    }
  }

  async function scaleAndStore(
    { src, width, format }: RenditionRequest,
    source: ServedFile,
    scale: ScaleImage,
    signal: AbortSignal,
  ): Promise<StoredRendition> {
    const known = refusals.get(`${source.etag} ${src}`);
    if (known) throw known;
    try {
      if (source.bodyBytes > MAX_INPUT_BYTES)
        throw new ImageRefusedError(413, `Files of more than ${MAX_INPUT_BYTES} bytes are not scaled.`);
      const bytes = await queue.run(async () => {
        const picture = await media.readStored(src);
        if (!picture) throw new BackendError('unreachable', `GET ${src}`, 'the stored file has gone');
        return timed(() => scale(picture, width, format));
      }, signal);
      return await files.write(keyOf({ src, width, format }), bytes, () => ({ source: source.etag }));
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
  ): Promise<[RenditionOutcome, StoredRendition | null]> {
    const key = keyOf(request);
    const [stored, source, scale] = await Promise.all([
      files.read(key),
      sourceOf(request.src, signal),
      loaded(),
    ]);
    if (source === null) return ['absent', null];
    if (source instanceof BackendError) {
      // A stored rendition is served although its original is not on disk and cannot be fetched.
      if (stored) return ['hit', stored];
      if (await health.explains(source)) return ['unavailable', null];
      throw source;
    }
    if (stored?.meta.source === source.etag) {
      if (Date.now() - stored.usedAt > TOUCH_AFTER_MS) await files.touch(key);
      return ['hit', stored];
    }
    // A rendition that cannot be stored would be scaled again for each visitor.
    if (!scale || !health.state.isWritable) return ['unavailable', null];
    const flight = `${source.etag} ${key}`;
    try {
      return ['made', await flights.run(flight, own => scaleAndStore(request, source, scale, own), signal)];
    } catch (error) {
      if (signal.aborted || !(await health.explains(error))) throw error;
      return ['unavailable', null];
    }
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

function served({ format }: RenditionRequest, { file, bodyBytes, sha256 }: StoredRendition): ServedFile {
  return { file, bodyBytes, type: `image/${format}`, etag: `"${sha256}"` };
}
