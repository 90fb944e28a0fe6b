import path from 'node:path';
import type { BackendClient } from '../backend/backend-client.ts';
import type { DiskHealth } from '../cache/disk-health.ts';
import type { Logger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { createImageRenditions, type ImageRenditions } from './image-renditions.ts';
import { createMediaOrigins, type MediaOrigins } from './media-origins.ts';
import { createMediaStore, type MediaStore } from './media-store.ts';
import { createNamedMedia, type NamedMedia } from './named-media.ts';
import { createPictureSize, type PictureSize } from './picture-sizes.ts';
import { createScaler, type Scaler } from './scaler.ts';

/** The space that media may take on disk, in bytes. */
const MEDIA_STORE_BYTES = 1024 * 1024 * 1024;
/** The space that renditions of pictures may take on disk, in bytes. */
const RENDITIONS_BYTES = 512 * 1024 * 1024;

export interface MediaOptions {
  client: BackendClient;
  mediaOrigins: readonly string[];
  timeoutMs: number;
  /** The folder of the backend. */
  dir: string;
  invalidatedSince: (time: number) => boolean;
  metrics: Pick<Metrics, 'renditionAnswered' | 'scaling'>;
  log: Logger;
  disk: { health: DiskHealth; log: Logger };
}

/** The media of the content: their servers, their files, and the renditions of pictures. */
export interface Media {
  origins: MediaOrigins;
  media: MediaStore;
  namedMedia: NamedMedia;
  sizeOf: PictureSize;
  images: ImageRenditions;
  scaler: Scaler;
}

export function createMedia(options: MediaOptions): Media {
  const { client, mediaOrigins, timeoutMs, dir, invalidatedSince, metrics, log, disk } = options;
  const origins = createMediaOrigins({ backend: client, mediaOrigins, timeoutMs, log });
  const media = createMediaStore({
    dir: path.join(dir, 'media'),
    maxBytes: MEDIA_STORE_BYTES,
    fetchFile: origins.fetchFile,
    invalidatedSince,
    ...disk,
  });
  const namedMedia = createNamedMedia(mediaOrigins);
  const scaler = createScaler({ log });
  const images = createImageRenditions({
    dir: path.join(dir, 'renditions'),
    maxBytes: RENDITIONS_BYTES,
    media,
    ...disk,
    scaler,
    isNamed: namedMedia.has,
    onOutcome: metrics.renditionAnswered,
    timed: metrics.scaling,
  });
  return { origins, media, namedMedia, sizeOf: createPictureSize(media), images, scaler };
}
