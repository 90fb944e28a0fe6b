import * as z from 'zod';
import {
  RENDITION_FORMATS,
  RENDITION_WIDTHS,
  type RenditionFormat,
  SHARE_PICTURE,
} from '../../shared/content/image.ts';
import { type DiskHealth, UNWATCHED } from '../cache/disk-health.ts';
import { createDiskStore, type DiskEntry } from '../cache/disk-store.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { QueueFullError } from '../cache/work-queue.ts';
import { BackendError } from '../errors.ts';
import type { ServedFile } from '../http/send-file.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { NotStorableError } from './cache-directives.ts';
import { CheckedBodies } from './checked-bodies.ts';
import { ImageRefusedError } from './image-refused-error.ts';
import { imageSize } from './image-size.ts';
import { MAX_INPUT_BYTES } from './is-scaled.ts';
import type { MediaStore, StoredFile } from './media-store.ts';
import { headOf } from './picture-sizes.ts';
import { PictureChangedError, ScalerUnavailableError } from './scaler.ts';
import type { ScaleWork } from './scaling-messages.ts';
import type { ScalingTurns } from './scaling-queue.ts';

/** A picture is small when its head says that it has no more pixels than this: 16 MB when decoded. */
const SMALL_PIXELS = 4_000_000;
/** Most refusals that are remembered, so that a broken picture is not decoded again at each request. */
const MAX_REFUSALS = 1_000;
/** How long a refusal is remembered, in ms. */
const REFUSAL_TTL_MS = 24 * 3_600_000;
/** How long a refusal is remembered that may not be the picture's fault, in ms. */
const DOUBTFUL_TTL_MS = 600_000;
/** A rendition that is served is marked as used when its last mark is older than this, in ms. */
const TOUCH_AFTER_MS = 3_600_000;

/** One rendition of a picture. */
export interface RenditionRequest {
  /** A path below `/uploads/` or an absolute address, as the page has it. The media policy has accepted it. */
  src: string;
  /** One of `RENDITION_WIDTHS`, or that of `SHARE_PICTURE`. */
  width: number;
  /** `share`: the picture of a shared link. */
  format: RenditionFormat | 'share';
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
  get(request: RenditionRequest, signal: AbortSignal): Promise<StoredFile | null | 'unavailable'>;
  /** Removes the renditions of a picture that was deleted. Those of a replaced picture stay until there are newer ones. */
  remove(src: string): Promise<void>;
  /** How many pictures are being scaled, and how many wait. */
  readonly work: { running: number; waiting: number };
}

/** `source`: the ETag of the original picture. */
const metaSchema = z.object({ source: z.string() });
type StoredRendition = DiskEntry<z.infer<typeof metaSchema>>;
/** A rendition to serve. `isOutdated`: the picture has changed since, or may have, and cannot be fetched. */
type FoundRendition = StoredRendition & { isOutdated?: boolean };

export interface ImageRenditionsOptions {
  dir: string;
  /** Bound of all renditions in bytes. The renditions unused for longest are removed first. */
  maxBytes: number;
  media: MediaStore;
  /** Knows of a disk that cannot be written. */
  health?: DiskHealth;
  log: Logger;
  onOutcome?: (outcome: RenditionOutcome) => void;
  turns: ScalingTurns;
  /** @returns whether the content names an address. Pictures of other origins are fetched only then. */
  isNamed: (src: string) => boolean;
}

/** Creates the renditions of pictures that the backend has no renditions of. Each is scaled at its first request and stored on disk. */
export function createImageRenditions(options: ImageRenditionsOptions): ImageRenditions {
  const { dir, maxBytes, media, health = UNWATCHED, log, turns, isNamed, onOutcome = () => {} } = options;
  const decodeMeta = (value: unknown) => metaSchema.parse(value);
  const files = createDiskStore({ dir, maxBytes, decodeMeta, health, log });
  const flights = new SingleFlight();
  const refusals = boundedMap<ImageRefusedError>(MAX_REFUSALS);
  const bodies = new CheckedBodies();

  /** @returns the original picture; null when it does not exist; the error when it is not on disk and cannot be fetched. */
  async function sourceOf(src: string, signal: AbortSignal): Promise<StoredFile | null | BackendError> {
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
    signal: AbortSignal,
  ): Promise<StoredRendition> {
    const known = refusals.get(`${source.etag} ${src}`);
    if (known) throw known;
    try {
      if (source.bodyBytes > MAX_INPUT_BYTES)
        throw new ImageRefusedError(413, `Files of more than ${MAX_INPUT_BYTES} bytes are not scaled.`);
      const isAlone = !(await isSmall(source));
      const bytes = await turns.scale(orderOf(source, width, format), { isAlone, signal });
      return await files.write(keyOf({ src, width, format }), bytes, () => ({ source: source.etag }));
    } catch (error) {
      if (error instanceof ImageRefusedError) {
        const ttl = error.isLasting ? REFUSAL_TTL_MS : DOUBTFUL_TTL_MS;
        refusals.set(`${source.etag} ${src}`, error, { ttl });
        log.warn({ err: error, src }, 'images: a picture cannot be scaled');
      }
      if (error instanceof PictureChangedError)
        throw new BackendError('unreachable', `GET ${src}`, 'the stored file has changed', { cause: error });
      throw error;
    }
  }

  /** @returns null for a rendition that is not stored, or not as it was written. */
  async function readRendition(key: string): Promise<StoredRendition | null> {
    const stored = await files.read(key);
    const body = stored && (await bodies.check(stored, '').catch(() => null));
    return body ? stored : null;
  }

  async function find(
    request: RenditionRequest,
    signal: AbortSignal,
  ): Promise<[RenditionOutcome, FoundRendition | null]> {
    const key = keyOf(request);
    // Any address of another origin could be asked for, in any number of spellings. Visitors get the picture from its origin.
    if (!isUpload(request.src) && !isNamed(request.src)) {
      const known = await readRendition(key);
      return known ? ['hit', known] : ['unavailable', null];
    }
    if (media.isMissing(request.src)) return ['absent', null];
    const [stored, source] = await Promise.all([readRendition(key), sourceOf(request.src, signal)]);
    if (source === null) return ['absent', null];
    if (source instanceof NotStorableError) return ['unavailable', null];
    if (source instanceof BackendError) {
      // A stored rendition is served although its original is not on disk and cannot be fetched.
      if (stored) return ['hit', { ...stored, isOutdated: true }];
      if (await health.explains(source)) return ['unavailable', null];
      throw source;
    }
    const { isOutdated = false } = source;
    if (stored?.meta.source === source.etag) {
      if (steadyNow() - stored.usedAt > TOUCH_AFTER_MS) await files.touch(key);
      return ['hit', { ...stored, isOutdated }];
    }
    // A rendition that cannot be stored would be scaled again for each visitor.
    if (!health.state.isWritable) return ['unavailable', null];
    const flight = `${source.etag} ${key}`;
    try {
      const made = await flights.run(flight, own => scaleAndStore(request, source, own), signal);
      return ['made', { ...made, isOutdated }];
    } catch (error) {
      if (error instanceof ScalerUnavailableError) return ['unavailable', null];
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
    async remove(src) {
      const renditions = RENDITION_FORMATS.flatMap(format =>
        RENDITION_WIDTHS.map(width => keyOf({ src, width, format })),
      );
      const keys = [...renditions, keyOf({ src, width: SHARE_PICTURE.width, format: 'share' })];
      await Promise.all(keys.map(files.remove)).catch((error: unknown) =>
        log.warn({ err: error, path: src }, 'media: a file could not be removed'),
      );
    },
    get work() {
      return turns.work;
    },
  };
}

function outcomeOf(error: unknown): RenditionOutcome {
  if (error instanceof ImageRefusedError) return 'refused';
  return error instanceof QueueFullError ? 'busy' : 'failed';
}

function isUpload(src: string): boolean {
  return src.startsWith('/');
}

/** @returns whether the head of a picture says that it has few pixels. A decoder believes the same head. */
async function isSmall(source: ServedFile): Promise<boolean> {
  const size = imageSize(await headOf(source), EXTENSIONS[source.type] ?? '');
  return size !== null && size.width * size.height <= SMALL_PIXELS;
}

const EXTENSIONS: Readonly<Record<string, string>> = { 'image/png': '.png', 'image/jpeg': '.jpg' };

/** @returns the order for a stored picture as the scaling process finds it. Its ETag is its digest. */
function orderOf(
  { file, bodyBytes, etag }: ServedFile,
  width: number,
  format: RenditionRequest['format'],
): ScaleWork {
  const picture = { file, bodyBytes, sha256: etag.slice(1, -1) };
  return format === 'share'
    ? { kind: 'share-picture', ...picture }
    : { kind: 'rendition', ...picture, width, format };
}

function keyOf({ src, width, format }: RenditionRequest): string {
  return `${width}.${format} ${src}`;
}

function served(
  { format }: RenditionRequest,
  { file, bodyBytes, sha256, isOutdated = false }: FoundRendition,
): StoredFile {
  const type = format === 'share' ? SHARE_PICTURE.type : `image/${format}`;
  return { file, bodyBytes, type, etag: `"${sha256}"`, isOutdated };
}
