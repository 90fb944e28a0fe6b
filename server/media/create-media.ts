import path from 'node:path';
import type { Palette } from '../../shared/payload/build-manifest.ts';
import type { BackendClient } from '../backend/backend-client.ts';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import type { InvalidationLog } from '../cache/tags/invalidation-log.ts';
import { MANY_FILES_TAG } from '../content/tags/media-tags.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { createFileVersions } from './file-versions.ts';
import { createMediaOrigins } from './media-origins.ts';
import { MediaStore } from './media-store.ts';
import { ImageRenditions } from './renditions/image-renditions.ts';
import { createPictureSize } from './renditions/picture-sizes.ts';
import { createShareCards } from './renditions/share-cards.ts';
import { Scaler } from './scaling/scaler.ts';
import { createPictureScaler } from './scaling/scaling-queue.ts';

const MIB = 1024 * 1024;
/** Long enough to scale a photograph of twelve megapixels on an idle machine. */
const RENDITION_WAIT_MS = 1_500;
/** The size limits of the stores on disk, in bytes. A share card has 40 to 80 KB. */
export const MEDIA_BOUNDS = { media: 1024 * MIB, renditions: 512 * MIB, cards: 128 * MIB };

interface MediaOptions {
  client: BackendClient;
  mediaOrigins: readonly string[];
  timeoutMs: number;
  dir: string;
  distDir: string;
  palette: Palette;
  invalidationLog: InvalidationLog;
  metrics: Pick<Metrics, 'count' | 'timed'>;
  log: Logger;
  disk: { health: DiskHealth; log: Logger };
  renditionWaitMs?: number | undefined;
}

export function createMedia(options: MediaOptions) {
  const { client, mediaOrigins, timeoutMs, dir, distDir, invalidationLog, metrics, log, disk } = options;
  const { palette, renditionWaitMs = RENDITION_WAIT_MS } = options;
  const origins = createMediaOrigins({ backend: client, mediaOrigins, timeoutMs, log });
  let onChangedFiles = (_tags: readonly string[]) => {};
  const fileVersions = createFileVersions({
    log: invalidationLog,
    announce: tag => onChangedFiles([tag, MANY_FILES_TAG]),
  });
  const media = new MediaStore({
    dir: path.join(dir, 'media'),
    maxBytes: MEDIA_BOUNDS.media,
    fetchFile: origins.fetchFile,
    versions: fileVersions,
    palette,
    ...disk,
  });
  const namedMedia = createNamedMedia(mediaOrigins);
  const scaler = new Scaler({ log, cardDir: path.join(distDir, 'server/cards') });
  const pictureScaler = createPictureScaler(scaler, work =>
    metrics.timed('site_scale_duration_seconds', work),
  );
  const images = new ImageRenditions({
    dir: path.join(dir, 'renditions'),
    maxBytes: MEDIA_BOUNDS.renditions,
    media,
    ...disk,
    pictureScaler,
    isNamed: namedMedia.has,
    waitMs: renditionWaitMs,
    onOutcome: outcome => metrics.count('site_rendition_answers_total', outcome),
  });
  const shareCards = createShareCards({
    dir: path.join(dir, 'cards'),
    maxBytes: MEDIA_BOUNDS.cards,
    media,
    ...disk,
    pictureScaler,
    onOutcome: outcome => metrics.count('site_share_card_answers_total', outcome),
  });
  const sizeOf = createPictureSize(media, fileVersions);
  return {
    mediaOrigins: origins,
    media,
    fileVersions,
    namedMedia,
    sizeOf,
    images,
    shareCards,
    scaler,
    /** Sets the function that gets the tags of changed files, to invalidate cache entries with these tags. */
    onChangedFiles(listener: typeof onChangedFiles) {
      onChangedFiles = listener;
    },
  };
}

/** Limit for remembered addresses. For a forgotten one, visitors get the unscaled picture from its origin. */
const MAX_NAMED = 20_000;

/** A normalised address: printable ASCII without `"`, `<`, `>` and `\`. */
const ADDRESS = /[!#-;=?-[\]-~]*/y;

/** The media of other origins that content names. Visitors could fill the disk with other addresses. */
function createNamedMedia(origins: readonly string[]) {
  const named = boundedMap<true>(MAX_NAMED);
  return {
    note(json: string): void {
      for (const begin of origins.map(origin => `${origin}/`))
        for (let at = json.indexOf(begin); at !== -1; at = json.indexOf(begin, at + begin.length)) {
          ADDRESS.lastIndex = at;
          named.set(ADDRESS.exec(json)?.[0] ?? begin, true);
        }
    },
    has: (address: string) => named.has(address),
  };
}
