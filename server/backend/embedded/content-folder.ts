import { readFileSync, type Stats, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { SingleFlight } from '../../cache/single-flight.ts';
import { inSlices, mapSteps } from '../../ops/turns.ts';
import { buildSnapshot, type Snapshot, type Warn } from './build-rows.ts';
import { contentSources } from './content-types.ts';
import { checkDates } from './entry-dates.ts';
import { eventsBetween, type FolderEvent } from './folder-events.ts';
import { describeMediaFile, type MediaFile } from './media-files.ts';
import type { SourcedEntry } from './read-content.ts';
import { parseContentFile, sourceOf } from './read-content.ts';
import { stableId } from './stable-id.ts';
import { watchFolders } from './watch-folders.ts';

/** Requests within this many ms share one check of the folder. */
const CHECK_INTERVAL_MS = 200;
/** The pause between a change and its check, in ms: an editor writes a file in several steps, and git writes many files. */
const SETTLE_MS = 50;
/** When the folder is checked for changes between the first snapshot and the begin of the watching, in ms: behind the first page. */
const CHECK_WATCHED_AFTER_MS = 1_000;

interface FileState {
  /** Path below the content folder, with forward slashes. */
  path: string;
  size: number;
  mtimeMs: number;
}
/** The value read from a file, and the version of the file. */
interface ReadFile<T> {
  version: string;
  value: T;
}

/** The content folder, read again when a file in it has changed. */
export interface ContentFolder {
  /** @throws Error when the folder cannot be read and there is no earlier snapshot. */
  current(): Promise<Snapshot>;
  /** @returns the file with the entry of an id, below the content folder; null for an id without one. */
  fileOf(id: string): string | null;
  /** @returns the content with its drafts. @throws Error as `current` does. */
  withDrafts(): Promise<Snapshot>;
  /** Looks for changes by itself from now on, not only with a request. Logs a warning where the system cannot watch folders. */
  watch(): Promise<void>;
  /** Ends the watching. */
  close(): void;
}

/** Called with the changes of the folder, in the form of Strapi's webhooks, after `current()` has them. */
export type OnEvents = (events: readonly FolderEvent[]) => void;

/**
 * Opens a content folder. Changes are noticed by the times and sizes of its files. Unlike `fs.watch` this works on network mounts, too,
 * and for editors that replace files.
 * @param warn called with each file that cannot be read and each link that cannot be resolved. The entries of a file that cannot be read
 *   stay as they were.
 */
export function openContentFolder(
  contentDir: string,
  warn: Warn,
  onEvents: OnEvents = () => {},
  watch = watchFolders,
): ContentFolder {
  const entries = new Map<string, ReadFile<SourcedEntry[]>>();
  const media = new Map<string, ReadFile<MediaFile>>();
  let reported = new Set<string>();
  let fingerprint: string | null = null;
  let snapshot: Snapshot | null = null;
  /** The files of the entries by their ids. Made when one is asked for. */
  let fileOfId: ReadonlyMap<string, string> | null = null;
  /** Built when it is asked for. */
  let drafts: Snapshot | null = null;
  let failure: string | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const checks = new SingleFlight();
  let stopWatching = () => {};
  let firstCheck: NodeJS.Timeout | undefined;
  let nextCheck: NodeJS.Timeout | undefined;

  async function check(): Promise<Snapshot> {
    const files = await listFiles(contentDir, snapshot === null);
    const seen = files.map(file => `${file.path} ${versionOf(file)}`).join('\n');
    if (snapshot === null || seen !== fingerprint) {
      const before = snapshot && { entries: new Map(entries), media: new Map(media) };
      await readChanged(files);
      snapshot = build();
      drafts = null;
      fileOfId = null;
      fingerprint = seen;
      const events = before ? eventsBetween(before, { entries, media }) : [];
      if (events.length > 0) onEvents(events);
    }
    failure = null;
    return snapshot;
  }

  async function readChanged(files: readonly FileState[]): Promise<void> {
    const paths = new Set(files.map(file => file.path));
    for (const known of [entries, media]) {
      for (const path of known.keys()) if (!paths.has(path)) known.delete(path);
    }
    for (const file of files) {
      const isUpload = file.path.startsWith('uploads/');
      if ((isUpload ? media : entries).get(file.path)?.version === versionOf(file)) continue;
      await (isUpload ? readUpload(file) : readEntries(file)).catch((error: unknown) => {
        warn('A content file could not be read', { file: file.path, reason: reasonOf(error) });
        // A file of entries counts as read, so that it is reported once. An upload is tried again when a file in the folder changes.
        if (!isUpload)
          entries.set(file.path, { version: versionOf(file), value: entries.get(file.path)?.value ?? [] });
      });
    }
  }

  /**
   * Reads a file. Before the first snapshot there is nothing to show, so the main thread then reads by itself: each trip to another thread takes
   * longer than such a file.
   */
  async function bytesOf(file: FileState): Promise<Buffer> {
    const absolute = join(contentDir, file.path);
    if (snapshot !== null) return readFile(absolute);
    const [bytes] = await inSlices(mapSteps([absolute], path => readFileSync(path)));
    return bytes ?? Buffer.alloc(0);
  }

  async function readEntries(file: FileState): Promise<void> {
    const source = sourceOf(file.path, contentSources);
    if (!source) return;
    const raw = parseContentFile(source, file.path, (await bytesOf(file)).toString());
    for (const entry of raw) checkDates(entry.values);
    const value = raw.map(entry => ({ ...entry, source, file: file.path, mtimeMs: file.mtimeMs }));
    entries.set(file.path, { version: versionOf(file), value });
  }

  async function readUpload(file: FileState): Promise<void> {
    const name = file.path.slice('uploads/'.length);
    const value = await describeMediaFile(name, () => bytesOf(file), file);
    media.set(file.path, { version: versionOf(file), value });
  }

  function build(): Snapshot {
    const nowReported = new Set<string>();
    const built = rowsOf(false, (message, details) => {
      const key = JSON.stringify([message, details]);
      if (!reported.has(key) && !nowReported.has(key)) warn(message, details);
      nowReported.add(key);
    });
    reported = nowReported;
    return built;
  }

  function rowsOf(withDrafts: boolean, warn: Warn): Snapshot {
    return buildSnapshot({
      entries: [...entries.values()].flatMap(known => known.value),
      media: new Map([...media].map(([path, known]) => [path.slice('uploads/'.length), known.value])),
      warn,
      withDrafts,
    });
  }

  /** Checks the folder. The last snapshot stays when the folder cannot be read any more. */
  async function checkOrFallBack(): Promise<Snapshot> {
    try {
      return await check();
    } catch (error) {
      if (snapshot === null) throw error;
      if (failure !== reasonOf(error))
        warn('The content folder could not be read', { reason: reasonOf(error) });
      failure = reasonOf(error);
      return snapshot;
    } finally {
      checkedAt = performance.now();
    }
  }

  /** Checks the folder a moment later. A change during a check is checked afterwards. */
  function checkSoon(): void {
    nextCheck ??= setTimeout(async () => {
      nextCheck = undefined;
      // A check in flight may have listed the files before the change.
      await checks.idle();
      await checks.run(contentDir, checkOrFallBack).catch(() => {});
    }, SETTLE_MS).unref();
  }

  async function current(): Promise<Snapshot> {
    if (snapshot !== null && performance.now() - checkedAt < CHECK_INTERVAL_MS) return snapshot;
    return checks.run(contentDir, checkOrFallBack);
  }

  return {
    async watch() {
      try {
        // Events tell of changes since the first snapshot.
        await checks.run(contentDir, checkOrFallBack);
        stopWatching = await watch([contentDir], checkSoon);
        firstCheck = setTimeout(checkSoon, CHECK_WATCHED_AFTER_MS).unref();
      } catch (error) {
        const remedy =
          'after a change wait for CONTENT_TTL_MS; ENOSPC: raise fs.inotify.max_user_watches; EMFILE: raise the limit of open files';
        warn('The content folder cannot be watched for changes', { reason: reasonOf(error), remedy });
      }
    },
    close() {
      clearTimeout(firstCheck);
      clearTimeout(nextCheck);
      stopWatching();
    },
    current,
    fileOf(id) {
      fileOfId ??= filesById([...entries.values()].flatMap(known => known.value));
      return fileOfId.get(id) ?? null;
    },
    async withDrafts() {
      await current();
      drafts ??= rowsOf(true, () => {});
      return drafts;
    },
  };
}

/** @returns the files of entries by both ids of each. */
function filesById(entries: readonly SourcedEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ source, name, file }) => {
      const { id, documentId } = stableId(source.type, name);
      return [
        [String(id), file],
        [documentId, file],
      ] as const;
    }),
  );
}

/** @param atOnce whether the main thread asks for the states of the files by itself, as `bytesOf` reads them. */
async function listFiles(contentDir: string, atOnce: boolean): Promise<FileState[]> {
  const found = (await readdir(contentDir, { recursive: true, withFileTypes: true }))
    .filter(entry => !entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name));
  const stated = atOnce
    ? await inSlices(mapSteps(found, stateNow))
    : await Promise.all(found.map(file => stat(file).catch(() => null)));
  const files = found.flatMap((file, index) => {
    const stats = stated[index];
    if (!stats?.isFile()) return [];
    const path = relative(contentDir, file).split(sep).join('/');
    return [{ path, size: stats.size, mtimeMs: stats.mtimeMs }];
  });
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** @returns null for a file that has been removed since the listing. */
function stateNow(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}

function versionOf(file: FileState): string {
  return `${file.mtimeMs}:${file.size}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
