import type { CacheEntry } from '../cache/entry-store.ts';
import type { InvalidationLog } from '../cache/invalidation-log.ts';
import { parseTag } from '../cache/tags.ts';
import { isMediaTag, MANY_FILES_TAG } from './content-tags.ts';
import type { StoredContent } from './stored-content.ts';

/** @returns whether answers would be decoded to what an entry holds. @param digest of the answers. */
export function isDecoded(
  entry: CacheEntry<StoredContent>,
  digest: string,
  log: Pick<InvalidationLog, 'last'>,
): boolean {
  const { answersDigest, isProvisional } = entry.value;
  return answersDigest === digest && !isProvisional && hasCurrentFiles(entry, log);
}

/** @returns whether the addresses of files in an entry have the versions of now, of which the backend's answers need not tell. */
function hasCurrentFiles(
  { tags, invalidated }: CacheEntry<StoredContent>,
  log: Pick<InvalidationLog, 'last'>,
): boolean {
  return tags.every(tag => {
    if (!isMediaTag(tag)) return true;
    if (tag === MANY_FILES_TAG) return !invalidated;
    const { name, version } = parseTag(tag);
    // The log forgets the oldest versions.
    return (log.last(name)?.version ?? version) === version;
  });
}
