import * as z from 'zod';
import { SingleFlight } from '../../cache/single-flight.ts';
import { createStaleCache, type StaleCache, type StaleCacheOptions } from '../../cache/stale-cache.ts';
import { boundedMap } from '../../ops/bounded-map.ts';
import { bytesOf, CheckedFiles, type FilesOptions, servedFile } from '../checked-files.ts';
import type { MediaStore } from '../media-store.ts';
import { ScalerUnavailableError } from '../scaling/scaler.ts';
import { ImageRefusedError, type ShareCard } from '../scaling/scaling-messages.ts';
import type { PictureScaler } from '../scaling/scaling-queue.ts';
import { pictureFile } from './image-renditions.ts';
import { fileOf } from './picture-sizes.ts';

const [PAGE_CARDS_BYTES, CARDLESS_BYTES] = [32 * 1024 * 1024, 1024 * 1024];
/** How long a page counts as having no card, in ms. The time is short, as the page may be published soon. */
const CARDLESS_TTL_MS = 10_000;
const [MAX_REFUSALS, REFUSAL_TTL_MS] = [1_000, 600_000];

/** `version` is a digest of the card's texts and the build's design. */
export interface VersionedCard {
  card: ShareCard;
  version: string;
}

export interface PageCard {
  readonly version: string;
  readonly drawn: { readonly bytes: Buffer; readonly etag: string } | ImageRefusedError;
  readonly words: string;
}

/** Cards in memory with the tags of their pages; null for a page without a card. */
export type PageCards = StaleCache<PageCard | null, never>;

export function createPageCards(
  lifetimes: Pick<StaleCacheOptions<unknown, never>, 'ttlMs' | 'staleIfErrorMs' | 'invalidations'>,
): PageCards {
  return createStaleCache({
    ...lifetimes,
    maxBytes: PAGE_CARDS_BYTES,
    sizeOf: card => (card && 'bytes' in card.drawn ? card.drawn.bytes.byteLength + card.words.length : 0),
    versionOf: card => card?.version ?? '',
    negative: {
      maxBytes: CARDLESS_BYTES,
      ttlMs: Math.min(CARDLESS_TTL_MS, lifetimes.ttlMs),
      servesStale: false,
    },
  });
}

interface ShareCardsOptions extends FilesOptions {
  media: Pick<MediaStore, 'get' | 'files'>;
  pictureScaler: PictureScaler;
  onOutcome: (outcome: 'hit' | 'made' | 'failed' | 'given-up') => void;
}

export type ShareCards = ReturnType<typeof createShareCards>;

/** Cards of shared links. Each is drawn at its first request and stored on disk by its version. */
export function createShareCards(options: ShareCardsOptions) {
  const { dir, maxBytes, media, pictureScaler, health, log, onOutcome } = options;
  const files = new CheckedFiles({ dir, maxBytes, schema: z.object({}), health, log });
  const flights = new SingleFlight();
  const refusals = boundedMap<ImageRefusedError>(MAX_REFUSALS, { ttl: REFUSAL_TTL_MS });

  async function draw({ card, version }: VersionedCard, signal: AbortSignal) {
    // Do not draw a card that cannot be stored: each visitor would cause another drawing.
    if (!health.state.isWritable) throw new ScalerUnavailableError('the disk cannot be written');
    const known = refusals.get(version);
    if (known) throw known;
    try {
      const logo = await drawPicture('logo', card.logo, signal);
      const drawing = await drawPicture('drawing', card.drawing, signal);
      const order = { kind: 'share-card', card, logo, drawing } as const;
      const bytes = await pictureScaler.scale(order, { isAlone: false, signal });
      return await files.write(version, bytes, bytes, () => ({}));
    } catch (error) {
      if (error instanceof ImageRefusedError) refusals.set(version, error);
      throw error;
    }
  }

  async function drawPicture(kind: 'logo' | 'drawing', src: string | null, signal: AbortSignal) {
    if (src === null) return null;
    try {
      const path = fileOf(src);
      const stored = await media.get(path, signal);
      if (!stored) throw new ImageRefusedError(404, 'There is no such picture.');
      const file = pictureFile(await media.files.inked(path, stored));
      return await pictureScaler.scale({ kind, ...file }, { isAlone: true, signal });
    } catch (error) {
      if (!(error instanceof ImageRefusedError)) throw error;
      log.warn(
        { code: 'media-logo-not-drawn', src, err: error },
        `images: cards are drawn without a ${kind}`,
      );
      return null;
    }
  }

  return {
    /** @throws SiteBusyError, ScalerUnavailableError; the system's error; the signal's reason. */
    async get(wanted: VersionedCard, signal: AbortSignal): Promise<PageCard['drawn']> {
      const stored = await files.use(wanted.version);
      try {
        const card = stored ?? (await flights.run(wanted.version, own => draw(wanted, own), signal));
        onOutcome(stored ? 'hit' : 'made');
        const file = servedFile(card);
        return { bytes: await bytesOf(file), etag: file.etag };
      } catch (error) {
        onOutcome(signal.aborted ? 'given-up' : 'failed');
        if (!(error instanceof ImageRefusedError)) throw error;
        return new ImageRefusedError(error.status, error.message, { title: wanted.card.title });
      }
    },
  };
}
