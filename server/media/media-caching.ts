import { surrogateFields, surrogateKey } from '../cache/tags/surrogate-keys.ts';
import { mediaTag } from '../content/tags/media-tags.ts';
import type { FileVersions } from './file-versions.ts';

/** The random part that Strapi adds to a file name. A replaced file keeps its name but gets a version. */
const HAS_HASH = /_[\da-f]{10}\.[\da-z]+$/;

interface ServedVersion {
  path: string;
  version: string | null;
  isOutdated?: boolean | undefined;
}

export function mediaCaching(
  versions: Pick<FileVersions, 'isCurrent' | 'isKnown'>,
  { path, version, isOutdated = false }: ServedVersion,
  maxAgeS: number,
): Record<string, string> {
  const isUnchanging =
    version === null
      ? HAS_HASH.test(path) && !versions.isKnown(path)
      : versions.isCurrent(path, version) && !isOutdated;
  const other = version === null ? 'none' : 'other';
  return fileCaching(surrogateKey([mediaTag(path)], null), maxAgeS, isUnchanging ? 'unchanging' : other);
}

/**
 * CDNs store unchanging files for no longer than other files, because a file may be deleted.
 * @param version `other` is an old version, or a new one that this process does not know yet.
 */
export function fileCaching(
  key: string,
  maxAgeS: number,
  version: 'none' | 'unchanging' | 'other',
): Record<string, string> {
  if (version === 'other') return { 'Cache-Control': 'public, max-age=0, must-revalidate' };
  const lifetime = `max-age=${maxAgeS}, stale-while-revalidate=${maxAgeS}`;
  const inBrowsers = version === 'unchanging' ? `max-age=31536000, s-maxage=${maxAgeS}, immutable` : lifetime;
  return {
    'Cache-Control': `public, ${inBrowsers}`,
    'Surrogate-Control': lifetime,
    'CDN-Cache-Control': `public, ${lifetime}`,
    ...Object.fromEntries(surrogateFields(key)),
  };
}
