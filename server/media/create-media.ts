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
  invalidationLog: InvalidationLog;
  /** Makes everything stale that carries a tag without its version. */
  announce: (tags: readonly string[]) => void;
  metrics: Pick<Metrics, 'renditionAnswered' | 'scaling'>;
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
  scaler: Scaler;
}

export function createMedia(options: MediaOptions): Media {
  const { client, mediaOrigins, timeoutMs, dir, invalidationLog, metrics, log, disk } = options;
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
  const sizeOf = createPictureSize(media, events);
  return { origins, media, fileVersions, namedMedia, sizeOf, images, scaler };
}
