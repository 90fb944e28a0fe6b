import { REPEATED_SLASHES } from '../addresses/safe-address.ts';
import type { InvalidationLog } from '../cache/tags/invalidation-log.ts';
import { versionedTag } from '../cache/tags/tags.ts';
import { mediaTag } from '../content/tags/media-tags.ts';
import { steadyNow } from '../ops/steady-clock.ts';

export type FileVersions = ReturnType<typeof createFileVersions>;

interface FileVersionsOptions {
  log: Pick<InvalidationLog, 'last' | 'mark' | 'after' | 'since'>;
  /** Makes cache entries with another version of the file stale. @param tag the tag with the new version. */
  announce: (tag: string) => void;
  now?: () => number;
}

/**
 * Tracks which files have changed, from events and content of the CMS. The invalidation log stores this.
 * Addresses have versions, `/uploads/a.png?v=m1x2y3z4`, so that no browser shows an old file from its cache.
 * A version is the time of the last change in the CMS, in base 36. A file that never changed has none.
 */
export function createFileVersions({ log, announce, now = steadyNow }: FileVersionsOptions) {
  const versionOf = (path: string) => log.last(mediaTag(path))?.version ?? null;
  const timeOf = (path: string) => Number.parseInt(versionOf(path) ?? '0', 36);

  return {
    /**
     * @param changedAt the file's last change, in ISO 8601. If no event has reported it, it is announced.
     * @returns the address with the file's version, if it has one. Another site's address stays unchanged.
     */
    withVersion(address: string, changedAt: string | null = null): string {
      const parts = partsOf(address);
      if (!parts) return address;
      const { path, hash } = parts;
      const time = Date.parse(changedAt ?? '');
      if (time > timeOf(path)) announce(versionedTag(mediaTag(path), versionAt(time)));
      const version = versionOf(path);
      return version === null ? path + hash : `${path}?v=${version}${hash}`;
    },
    /** @returns the tag that announces the new version. @param changedAt in ISO 8601; null for a deletion. */
    tagOfChange(path: string, changedAt: string | null): string {
      const known = timeOf(path);
      const told = Date.parse(changedAt ?? '');
      // If the times are equal, content has already reported this change. Any other event is a new change,
      // even with an older time.
      const time = told === known ? told : Math.max(Number.isNaN(told) ? now() : told, known + 1);
      return versionedTag(mediaTag(path), versionAt(time));
    },
    /** Whether an event or the content has reported a change of the file. */
    isKnown: (path: string) => log.last(mediaTag(path)) !== null,
    isCurrent: (path: string, version: string) => versionOf(path) === version,
    /** Whether the last event about a file came at or after `time`, in ms since the epoch. */
    changedSince: (path: string, time: number) => (log.last(mediaTag(path))?.invalidatedAt ?? 0) >= time,
    isDeleted(path: string) {
      const last = log.last(mediaTag(path));
      return last !== null && last.removedAt > 0 && last.removedAt === last.invalidatedAt;
    },
    mark: () => log.mark(),
    changedAfter: (path: string, mark: number) => log.after([mediaTag(path)], mark),
    /** Whether an event without file names has come at or after a time, in ms since the epoch. */
    anyChangedSince: (time: number) => log.since([], time),
  };
}

function versionAt(time: number): string {
  return Math.max(0, Math.floor(time)).toString(36);
}

const ADDRESS = /^(\/uploads\/[^?#]+)(?:\?v=([0-9a-z]{1,12}))?(#.*)?$/;

/** @returns null for an address outside of `/uploads/`, or with another query. */
function partsOf(address: string): { path: string; version: string | null; hash: string } | null {
  const [, path, version = null, hash = ''] = ADDRESS.exec(address) ?? [];
  return path === undefined ? null : { path, version, hash };
}

/** Splits the version off an upload's address. Other addresses stay unchanged. */
export function splitVersion(address: string): { address: string; version: string | null } {
  const parts = partsOf(address);
  return parts ? { address: parts.path + parts.hash, version: parts.version } : { address, version: null };
}

/** Normalises percent-encoding and repeated slashes of a decodable path. */
export function uploadPath(path: string): string {
  return path
    .replace(REPEATED_SLASHES, '/')
    .split('/')
    .map(segment => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}

export function versionInQuery({ v }: Readonly<Record<string, unknown>>): string | null {
  return typeof v === 'string' ? v : null;
}
