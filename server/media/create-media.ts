import path from 'node:path';
import type { BackendClient } from '../backend/backend-client.ts';
import type { DiskHealth } from '../cache/disk-health.ts';
import type { InvalidationLog } from '../cache/invalidation-log.ts';
import { MANY_FILES_TAG } from '../content/content-tags.ts';
import type { Logger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { createFileEvents } from './file-events.ts';
import { createFileVersions, type FileVersions } from './file-versions.ts';
import { createImageRenditions, type ImageRenditions } from './image-renditions.ts';
import { createMediaOrigins, type MediaOrigins } from './media-origins.ts';
import { createMediaStore, type MediaStore } from './media-store.ts';
import { createNamedMedia, type NamedMedia } from './named-media.ts';
import { createPictureSize, type PictureSize } from './picture-sizes.ts';
import { createScaler, type Scaler } from './scaler.ts';
import { createScalingTurns } from './scaling-queue.ts';
import { createShareCards, type ShareCards } from './share-cards.ts';

/** The space that media may take on disk, in bytes. */
const MEDIA_STORE_BYTES = 1024 * 1024 * 1024;
/** The space that renditions of pictures may take on disk, in bytes. */
const RENDITIONS_BYTES = 512 * 1024 * 1024;
/** The space that cards of shared links may take on disk, in bytes. A card has 40 to 80 KB. */
const CARDS_BYTES = 128 * 1024 * 1024;

export interface MediaOptions {
  client: BackendClient;
  mediaOrigins: readonly string[];
  timeoutMs: number;
  /** The folder of the backend. */
  dir: string;
  /** The folder of the build. */
  distDir: string;
  invalidationLog: InvalidationLog;
  /** Makes everything stale that carries a tag without its version. */
  announce: (tags: readonly string[]) => void;
  metrics: Pick<Metrics, 'renditionAnswered' | 'cardAnswered' | 'scaling'>;
  log: Logger;
  disk: { health: DiskHealth; log: Logger };
}

/** The media of the content: their servers, their files, and the renditions of pictures. */
export interface Media {
  origins: MediaOrigins;
  media: MediaStore;
  fileVersions: FileVersions;
  namedMedia: NamedMedia;
  sizeOf: PictureSize;
  images: ImageRenditions;
  shareCards: ShareCards;
  scaler: Scaler;
}

export function createMedia(options: MediaOptions): Media {
  const { client, mediaOrigins, timeoutMs, dir, distDir, invalidationLog, metrics, log, disk } = options;
  const origins = createMediaOrigins({ backend: client, mediaOrigins, timeoutMs, log });
  const events = createFileEvents(invalidationLog);
  const fileVersions = createFileVersions({
    log: invalidationLog,
    announce: tag => options.announce([tag, MANY_FILES_TAG]),
  });
  const media = createMediaStore({
    dir: path.join(dir, 'media'),
    maxBytes: MEDIA_STORE_BYTES,
    fetchFile: origins.fetchFile,
    events,
    ...disk,
  });
  const namedMedia = createNamedMedia(mediaOrigins);
  const scaler = createScaler({ log, cardDir: path.join(distDir, 'server/cards') });
  const turns = createScalingTurns(scaler, metrics.scaling);
  const images = createImageRenditions({
    dir: path.join(dir, 'renditions'),
    maxBytes: RENDITIONS_BYTES,
    media,
    ...disk,
    turns,
    isNamed: namedMedia.has,
    onOutcome: metrics.renditionAnswered,
  });
  const shareCards = createShareCards({
    dir: path.join(dir, 'cards'),
    maxBytes: CARDS_BYTES,
    ...disk,
    turns,
    onOutcome: metrics.cardAnswered,
  });
  const sizeOf = createPictureSize(media, events);
  return { origins, media, fileVersions, namedMedia, sizeOf, images, shareCards, scaler };
}
