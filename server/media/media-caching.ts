import { surrogateFields, surrogateKey } from '../cache/surrogate-tags.ts';
import { mediaTag } from '../content/content-tags.ts';
import type { FileVersions } from './file-versions.ts';

/** How long the answer to one address of a file may be kept. */
export interface FileLifetime {
  /** In seconds. Caches may serve the file for the same time while they revalidate it. */
  maxAgeS: number;
  /**
   * `unchanging`: browsers need not ask for it again. `other`: the address carries another version than that of now, such as one that another
   * process knows already, so nothing keeps it.
   */
  version: 'none' | 'unchanging' | 'other';
}

/**
 * @param version in the address, null without one.
 * @param isOutdated whether the file is of before the last change, because the new one cannot be fetched.
 * @param maxAgeS how long caches may keep the file, in seconds.
 */
export function lifetimeOf(
  versions: Pick<FileVersions, 'isCurrent'>,
  {
    path,
    version,
    isOutdated = false,
  }: { path: string; version: string | null; isOutdated?: boolean | undefined },
  maxAgeS: number,
): FileLifetime {
  if (version === null) return { maxAgeS, version: 'none' };
  const isUnchanging = versions.isCurrent(path, version) && !isOutdated;
  return { maxAgeS, version: isUnchanging ? 'unchanging' : 'other' };
}

/**
 * @param path of the file, or of the picture that a rendition was made of.
 * @returns the caching headers of a file. Caches in front purge it by its tag; none keeps an unchanging file for longer than any other, because it
 *   may be deleted.
 */
export function mediaCaching(path: string, lifetime: FileLifetime): Record<string, string> {
  return fileCaching(surrogateKey([mediaTag(path)], null), lifetime);
}

/** @param key the words by which caches in front purge the answer (`surrogateKey`). */
export function fileCaching(key: string, { maxAgeS, version }: FileLifetime): Record<string, string> {
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
