import { hash } from 'node:crypto';
import { versionedTag } from '../../cache/tags/tags.ts';

/** An address of an upload, not of its renditions. It ends with the version (`file-versions.ts`). */
const UPLOADS = /(?<!\/images)\/uploads\/[^"'\s<>()?#&\\,]+(?:\?v=[0-9a-z]+)?/g;

const VERSION_IN_ADDRESS = '?v=';

const MEDIA = 'file:';

/** The length of a file's name in tags. A page may show many files, and headers are short. */
const MEDIA_NAME_LENGTH = 8;

export function mediaTag(path: string): string {
  return MEDIA + hash('sha256', path, 'base64url').slice(0, MEDIA_NAME_LENGTH);
}

/** Limit for the files of a value. Above it, an event of any file invalidates the value. */
const MAX_FILES = 500;

export const MANY_FILES_TAG = `${MEDIA}many`;

/** @param text JSON content or a page. @returns the addresses of media files in it, with versions. */
export function mediaPaths(text: string): readonly string[] {
  return text.match(UPLOADS) ?? [];
}

export function mediaTags(addresses: ReadonlySet<string>): string[] {
  const versions = new Map<string, string | null>();
  for (const address of addresses) {
    const [path = '', version = null] = address.split(VERSION_IN_ADDRESS);
    // Prefer an address with a version, because raw attributes and texts may name the same file without one.
    if (version !== null || !versions.has(path)) versions.set(path, version);
  }
  if (versions.size > MAX_FILES) return [MANY_FILES_TAG];
  return Array.from(versions, ([path, version]) =>
    version === null ? mediaTag(path) : versionedTag(mediaTag(path), version),
  );
}

export function isMediaTag(tag: string): boolean {
  return tag.startsWith(MEDIA);
}
