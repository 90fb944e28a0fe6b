import { hash } from 'node:crypto';
import { versionedTag } from '../../cache/tags/tags.ts';

/** The version ends an address (`server/media/file-versions.ts`). */
const UPLOADS = /\/uploads\/[^"'\s<>()?#&\\,]+(?:\?v=[0-9a-z]+)?/g;

const VERSION_IN_ADDRESS = '?v=';

const MEDIA = 'file:';

/** In characters: a page may show many files, and its headers are short. */
const MEDIA_NAME_LENGTH = 8;

export function mediaTag(path: string): string {
  return MEDIA + hash('sha256', path, 'base64url').slice(0, MEDIA_NAME_LENGTH);
}

/** An event of any file concerns a value with more files. */
const MAX_FILES = 500;

export const MANY_FILES_TAG = `${MEDIA}many`;

/** @returns the addresses, with versions, of the media files in a text: content as JSON, or a page. */
export function mediaPaths(text: string): readonly string[] {
  return text.match(UPLOADS) ?? [];
}

export function mediaTags(addresses: ReadonlySet<string>): string[] {
  const versions = new Map<string, string | null>();
  for (const address of addresses) {
    const [path = '', version = null] = address.split(VERSION_IN_ADDRESS);
    // The record of a single type, and text about a file, name it without its version.
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
