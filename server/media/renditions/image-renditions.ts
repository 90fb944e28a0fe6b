import * as z from 'zod';
import {
  RENDITION_FORMATS,
  RENDITION_WIDTHS,
  type RenditionFormat,
  SHARE_PICTURE,
} from '../../../shared/content/image.ts';
import { SingleFlight } from '../../cache/single-flight.ts';
import { within } from '../../cache/within.ts';
import { BackendError, SiteBusyError } from '../../errors.ts';
import type { ServedFile } from '../../http/send-file.ts';
import { boundedMap } from '../../ops/bounded-map.ts';
import { MAX_INPUT_BYTES } from '../../wire/is-scaled.ts';
import { type CheckedFile, CheckedFiles, type FilesOptions, servedFile } from '../checked-files.ts';
import { NotStorableError } from '../media-failures.ts';
import type { MediaStore, StoredFile } from '../media-store.ts';
import { PictureChangedError, ScalerUnavailableError } from '../scaling/scaler.ts';
import { ImageRefusedError, type PictureFile, type ScaleWork } from '../scaling/scaling-messages.ts';
import type { PictureScaler } from '../scaling/scaling-queue.ts';
import { imageSize } from './image-size.ts';
import { headOf } from './picture-sizes.ts';

/** A picture is small if its header states at most this many pixels. Decoded, it takes at most 16 MB. */
const SMALL_PIXELS = 4_000_000;
/** Limit for remembered refusals. Without them each request would decode a broken picture. */
const MAX_REFUSALS = 1_000;
const REFUSAL_TTL_MS = 24 * 3_600_000;
/** How long a refusal is remembered if the picture may not be at fault, in ms. */
const DOUBTFUL_TTL_MS = 600_000;

export interface RenditionRequest {
  /** The address as in the page, accepted by the media policy. */
  src: string;
  width: number;
  format: RenditionFormat | 'share';
  /** The focal point of a share picture, such as `0-4`; null for the middle. */
  focus?: string | null;
}

/** A label of metrics. `hit`: the rendition was on disk. `made`: it was scaled now. */
type RenditionOutcome =
  | 'hit'
  | 'made'
  | 'refused'
  | 'busy'
  | 'absent'
  | 'unavailable'
  | 'failed'
  | 'given-up';

/** `source` is the ETag of the original picture. */
const metaSchema = z.object({ source: z.string() });
type Meta = z.infer<typeof metaSchema>;
type Found = [RenditionOutcome, StoredFile | null];

interface ImageRenditionsOptions extends FilesOptions {
  media: MediaStore;
  onOutcome?: (outcome: RenditionOutcome) => void;
  pictureScaler: PictureScaler;
  /** Whether content contains an address. Pictures of other origins are fetched only in that case. */
  isNamed: (src: string) => boolean;
  /** How long a visitor waits for a rendition that is being made, in ms. Without it, there is no limit. */
  waitMs?: number;
}

/** Scales each picture at its first request, and stores the rendition on disk. */
export class ImageRenditions {
  readonly #options: ImageRenditionsOptions;
  readonly #files: CheckedFiles<Meta>;
  readonly #flights = new SingleFlight();
  readonly #refusals = boundedMap<ImageRefusedError>(MAX_REFUSALS);

  constructor(options: ImageRenditionsOptions) {
    const { dir, maxBytes, health, log } = options;
    this.#options = options;
    this.#files = new CheckedFiles({ dir, maxBytes, schema: metaSchema, health, log });
  }

  /**
   * @returns null if the picture does not exist; `'unavailable'` if there is no rendition now.
   * @throws ImageRefusedError, SiteBusyError, BackendError; the signal's reason.
   */
  async get(request: RenditionRequest, signal: AbortSignal): Promise<StoredFile | null | 'unavailable'> {
    try {
      const [outcome, file] = await this.#inTime(request, this.#find(request, signal));
      this.#options.onOutcome?.(outcome);
      return outcome === 'unavailable' ? outcome : file;
    } catch (error) {
      this.#options.onOutcome?.(signal.aborted ? 'given-up' : outcomeOf(error));
      throw error;
    }
  }

  async has(request: RenditionRequest): Promise<boolean> {
    return (await this.#files.read(keyOf(request))) !== null;
  }

  /** Removes renditions of a deleted picture. A replaced picture keeps them until newer ones exist. */
  async remove(src: string): Promise<void> {
    const renditions = RENDITION_FORMATS.flatMap(format =>
      RENDITION_WIDTHS.map(width => keyOf({ src, width, format })),
    );
    const keys = [...renditions, keyOf({ src, width: SHARE_PICTURE.width, format: 'share' })];
    await this.#files.remove(keys, src);
  }

  get work(): { running: number; waiting: number } {
    return this.#options.pictureScaler.work;
  }

  /** Ends the wait for slow work. The work goes on, so that the next visitor gets the rendition. */
  async #inTime({ format }: RenditionRequest, work: Promise<Found>): Promise<Found> {
    const { waitMs } = this.#options;
    // Wait until a share picture is made, because a crawler of shared links requests it only once.
    if (waitMs === undefined || format === 'share') return work;
    work.catch(() => {});
    return (await within(waitMs, work)) ?? ['unavailable', null];
  }

  async #sourceOf(src: string, signal: AbortSignal): Promise<StoredFile | null | BackendError> {
    try {
      return await this.#options.media.get(src, signal);
    } catch (error) {
      if (error instanceof BackendError) return error;
      throw error;
    }
  }

  async #scaleAndStore(
    request: RenditionRequest,
    source: ServedFile,
    signal: AbortSignal,
  ): Promise<CheckedFile<Meta>> {
    const { src } = request;
    const { pictureScaler, log } = this.#options;
    const known = this.#refusals.get(`${source.etag} ${src}`);
    if (known) throw known;
    try {
      if (source.bodyBytes > MAX_INPUT_BYTES)
        throw new ImageRefusedError(413, `Files of more than ${MAX_INPUT_BYTES} bytes are not scaled.`);
      const isAlone = !(await isSmall(source));
      const bytes = await pictureScaler.scale(orderOf(source, request), { isAlone, signal });
      const key = keyOf(request);
      return await this.#files.write(key, bytes, bytes, () => ({ source: source.etag }));
    } catch (error) {
      if (error instanceof ImageRefusedError) {
        const ttl = error.isLasting ? REFUSAL_TTL_MS : DOUBTFUL_TTL_MS;
        this.#refusals.set(`${source.etag} ${src}`, error, { ttl });
        log.warn({ code: 'media-picture-not-scaled', err: error, src }, 'images: a picture cannot be scaled');
      }
      if (error instanceof PictureChangedError)
        throw new BackendError('unreachable', `GET ${src}`, 'the stored file has changed', { cause: error });
      throw error;
    }
  }

  async #find(request: RenditionRequest, signal: AbortSignal): Promise<Found> {
    const { media, health, isNamed } = this.#options;
    const key = keyOf(request);
    // Scale a picture of another origin only if content contains it: visitors may request any address.
    if (!isUpload(request.src) && !isNamed(request.src)) {
      const known = await this.#files.read(key);
      return known ? ['hit', servedFile(known)] : ['unavailable', null];
    }
    if (media.isMissing(request.src)) return ['absent', null];
    const [stored, source] = await Promise.all([this.#files.use(key), this.#sourceOf(request.src, signal)]);
    if (source === null) return ['absent', null];
    if (source instanceof NotStorableError) return ['unavailable', null];
    if (source instanceof BackendError) {
      if (stored) return ['hit', { ...servedFile(stored), isOutdated: true }];
      if (await health.explains(source)) return ['unavailable', null];
      throw source;
    }
    const { isOutdated = false } = source;
    if (stored?.entry.meta.source === source.etag) return ['hit', { ...servedFile(stored), isOutdated }];
    if (!health.state.isWritable) return ['unavailable', null];
    const flight = `${source.etag} ${key}`;
    try {
      const made = await this.#flights.run(flight, own => this.#scaleAndStore(request, source, own), signal);
      return ['made', { ...servedFile(made), isOutdated }];
    } catch (error) {
      if (error instanceof ScalerUnavailableError) return ['unavailable', null];
      if (signal.aborted || !(await health.explains(error))) throw error;
      return ['unavailable', null];
    }
  }
}

function outcomeOf(error: unknown): RenditionOutcome {
  if (error instanceof ImageRefusedError) return 'refused';
  return error instanceof SiteBusyError ? 'busy' : 'failed';
}

function isUpload(src: string): boolean {
  return src.startsWith('/');
}

async function isSmall(source: ServedFile): Promise<boolean> {
  const size = imageSize(await headOf(source), source.type);
  return size !== null && size.width * size.height <= SMALL_PIXELS;
}

/** Describes a stored picture for the scaling process. Its ETag is its digest. */
export function pictureFile({ file, bodyBytes, etag }: ServedFile): PictureFile {
  return { file, bodyBytes, sha256: etag.slice(1, -1) };
}

function orderOf(source: ServedFile, { width, format, focus = null }: RenditionRequest): ScaleWork {
  const picture = pictureFile(source);
  return format === 'share'
    ? { kind: 'share-picture', ...picture, focus }
    : { kind: 'rendition', ...picture, width, format };
}

function keyOf({ src, width, format, focus }: RenditionRequest): string {
  return `${width}.${format}${focus ? `-${focus}` : ''} ${src}`;
}
