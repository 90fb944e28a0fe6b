import { createHash } from 'node:crypto';
import type { SharedTier } from '../cache/shared-tier.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../ops/log.ts';
import { createSharedRecords } from '../shared-state/shared-records.ts';
import type { SharedStore } from '../shared-state/shared-store.ts';
import { CONTENT_FORMAT, type ContentRecord, contentRecordCodec } from './content-record.ts';

/**
 * @returns the content that replicas share: the backend's own answers, so that two builds share them. Processes with other credentials may be allowed
 *   to read other content, and share none.
 */
export function createSharedContent(
  store: SharedStore,
  isCurrent: () => boolean,
  config: Pick<Config, 'contentToken' | 'contentHeaders'>,
  log: Logger,
): SharedTier<ContentRecord> {
  const credentials = JSON.stringify([config.contentToken, config.contentHeaders]);
  const reader = createHash('sha256').update(credentials).digest('hex').slice(0, 8);
  return createSharedRecords({
    store,
    name: `content:${CONTENT_FORMAT}:${reader}`,
    codec: contentRecordCodec,
    isCurrent,
    log,
  });
}
