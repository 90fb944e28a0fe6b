import type { InvalidationLog } from '../cache/invalidation-log.ts';
import { versionedTag } from '../cache/tags.ts';
import { mediaTag } from '../content/content-tags.ts';
import { steadyNow } from '../ops/steady-clock.ts';

/**
 * The versions of files: a file that was replaced has a new address, `/uploads/a.png?v=m1x2y3z4`, so that no browser shows the old one. A
 * version is the time of the file's last change as the CMS gives it, in ms since the epoch, in base 36, so all processes of a site write
 * the same address. A file that was never changed has no version.
 */
export interface FileVersions {
  /**
   * @param address of a medium or a link, without a version or with an earlier one.
   * @param changedAt when the file was last changed, in ISO 8601, if the content says so. A change of which no event has told is announced.
   * @returns the address with the file's version; the address itself for a file without one, and for an address of another site.
   */
  withVersion(address: string, changedAt?: string | null): string;
  /**
   * @param path of a file that an event tells of.
   * @param changedAt as the event gives it, in ISO 8601; null for an event without it, and for a deletion.
   * @returns the tag that announces the file's new version.
   */
  tagOfChange(path: string, changedAt: string | null): string;
  /** @returns whether an event or the content has told of a change of a file. */
  isKnown(path: string): boolean;
  /** @returns whether a version is the one of now, so that the file under this address never changes. */
  isCurrent(path: string, version: string): boolean;
}

export interface FileVersionsOptions {
  log: Pick<InvalidationLog, 'last'>;
  /** Makes everything stale that shows a file of another version. @param tag of the file, with its new version. */
  announce: (tag: string) => void;
  /** The clock, in ms. */
  now?: () => number;
}

/** @returns the versions. The log of invalidations keeps them, as the versions of the files' tags. */
export function createFileVersions({ log, announce, now = steadyNow }: FileVersionsOptions): FileVersions {
  const versionOf = (path: string) => log.last(mediaTag(path))?.version ?? null;
  const timeOf = (path: string) => Number.parseInt(versionOf(path) ?? '0', 36);

  return {
    withVersion(address, changedAt = null) {
      const parts = partsOf(address);
      if (!parts) return address;
      const { path, hash } = parts;
      const time = Date.parse(changedAt ?? '');
      if (time > timeOf(path)) announce(versionedTag(mediaTag(path), versionAt(time)));
      const version = versionOf(path);
      return version === null ? path + hash : `${path}?v=${version}${hash}`;
    },
    tagOfChange(path, changedAt) {
      const known = timeOf(path);
      const told = Date.parse(changedAt ?? '');
      // The content may have told of the same change before. Every other event is a new change, whatever the clocks say.
      const time = told === known ? told : Math.max(Number.isNaN(told) ? now() : told, known + 1);
      return versionedTag(mediaTag(path), versionAt(time));
    },
    isKnown: path => log.last(mediaTag(path)) !== null,
    isCurrent: (path, version) => versionOf(path) === version,
  };
}

function versionAt(time: number): string {
  return Math.max(0, Math.floor(time)).toString(36);
}

const ADDRESS = /^(\/uploads\/[^?#]+)(?:\?v=([0-9a-z]{1,12}))?(#.*)?$/;

/** @returns the parts of an address of a file; null for an address with another query, and for one that is no file's. */
function partsOf(address: string): { path: string; version: string | null; hash: string } | null {
  const [, path, version = null, hash = ''] = ADDRESS.exec(address) ?? [];
  return path === undefined ? null : { path, version, hash };
}

/** @returns an address of a file without its version, and the version; any other address as it is. */
export function splitVersion(address: string): { address: string; version: string | null } {
  const parts = partsOf(address);
  return parts ? { address: parts.path + parts.hash, version: parts.version } : { address, version: null };
}

/** @returns the version in the query of a request; null without one. */
export function versionInQuery({ v }: Readonly<Record<string, unknown>>): string | null {
  return typeof v === 'string' ? v : null;
}
