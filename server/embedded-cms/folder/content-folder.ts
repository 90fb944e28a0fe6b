import { SingleFlight } from '../../cache/single-flight.ts';
import { buildSnapshot, type Snapshot, type Warn } from '../build-rows.ts';
import type { SourcedEntry } from '../read-content.ts';
import { stableId } from '../stable-id.ts';
import { eventsBetween, type FolderEvent } from './folder-events.ts';
import { FolderFiles, mediaIn, type ParsedFiles, reasonOf } from './folder-files.ts';
import { watchFolders } from './watch-folders.ts';

/** Requests within this time share one check of the folder, in ms. */
const CHECK_INTERVAL_MS = 200;
/** The pause between a change and its check, in ms, because editors write files in steps. */
const SETTLE_MS = 50;
/** The delay before the first check of a watched folder, in ms. It must not slow down the first page. */
const CHECK_WATCHED_AFTER_MS = 1_000;

export type OnEvents = (events: readonly FolderEvent[]) => void;

export class ContentFolder {
  readonly #contentDir: string;
  readonly #warn: Warn;
  readonly #onEvents: OnEvents;
  readonly #watchFolders: typeof watchFolders;
  readonly #files: FolderFiles;
  readonly #checks = new SingleFlight();
  #parsed: ParsedFiles | null = null;
  #snapshot: Snapshot | null = null;
  #drafts: Snapshot | null = null;
  #entryOfId: ReadonlyMap<string, SourcedEntry> | null = null;
  #reported = new Set<string>();
  #failure: string | null = null;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #stopWatching = () => {};
  #firstCheck: NodeJS.Timeout | undefined;
  #nextCheck: NodeJS.Timeout | undefined;

  constructor(contentDir: string, warn: Warn, onEvents: OnEvents = () => {}, watch = watchFolders) {
    this.#contentDir = contentDir;
    this.#warn = warn;
    this.#onEvents = onEvents;
    this.#watchFolders = watch;
    this.#files = new FolderFiles(contentDir, warn);
  }

  async current(): Promise<Snapshot> {
    const isRecent = performance.now() - this.#checkedAt < CHECK_INTERVAL_MS;
    return isRecent && this.#snapshot ? this.#snapshot : this.#check();
  }

  async withDrafts(): Promise<Snapshot> {
    await this.current();
    this.#drafts ??= build(this.#parsed, true, () => {});
    return this.#drafts;
  }

  entryOf(id: string): SourcedEntry | null {
    this.#entryOfId ??= new Map(
      entriesIn(this.#parsed).flatMap(entry =>
        Object.values(stableId(entry.source.type, entry.name)).map(one => [String(one), entry] as const),
      ),
    );
    return this.#entryOfId.get(id) ?? null;
  }

  hasUpload(name: string): boolean {
    return mediaIn(this.#parsed).has(name);
  }

  async refresh(): Promise<void> {
    // Wait for a check in flight, which may have listed the files before the change.
    await this.#checks.idle();
    await this.#check();
  }

  /** Notices changes without requests. Logs a warning if the system cannot watch folders. */
  async watch(): Promise<void> {
    try {
      // Take the first snapshot now, so that later events report only changes.
      await this.#check();
      this.#stopWatching = await this.#watchFolders([this.#contentDir], () => this.#checkSoon());
      this.#firstCheck = setTimeout(() => this.#checkSoon(), CHECK_WATCHED_AFTER_MS).unref();
    } catch (error) {
      const remedy =
        'after a change wait for CONTENT_TTL_MS; ENOSPC: raise fs.inotify.max_user_watches; EMFILE: raise the limit of open files';
      this.#warn('The content folder cannot be watched for changes', { reason: reasonOf(error), remedy });
    }
  }

  close(): void {
    clearTimeout(this.#firstCheck);
    clearTimeout(this.#nextCheck);
    this.#stopWatching();
  }

  #checkSoon(): void {
    this.#nextCheck ??= setTimeout(async () => {
      this.#nextCheck = undefined;
      await this.refresh().catch(() => {});
    }, SETTLE_MS).unref();
  }

  #check(): Promise<Snapshot> {
    return this.#checks.run(this.#contentDir, () => this.#checkOrFallBack());
  }

  async #checkOrFallBack(): Promise<Snapshot> {
    try {
      this.#snapshot = await this.#refresh();
      this.#failure = null;
      return this.#snapshot;
    } catch (error) {
      if (this.#snapshot === null) throw error;
      if (this.#failure !== reasonOf(error))
        this.#warn('The content folder could not be read', { reason: reasonOf(error) });
      this.#failure = reasonOf(error);
      return this.#snapshot;
    } finally {
      this.#checkedAt = performance.now();
    }
  }

  async #refresh(): Promise<Snapshot> {
    const before = this.#parsed;
    const parsed = await this.#files.parsed();
    if (this.#snapshot && parsed === before) return this.#snapshot;
    this.#snapshot = this.#buildWarningOnce(parsed);
    this.#parsed = parsed;
    this.#drafts = null;
    this.#entryOfId = null;
    const events = before ? eventsBetween(before, parsed) : [];
    if (events.length > 0) this.#onEvents(events);
    return this.#snapshot;
  }

  #buildWarningOnce(parsed: ParsedFiles): Snapshot {
    const reported = new Set<string>();
    const snapshot = build(parsed, false, (message, details) => {
      const key = JSON.stringify([message, details]);
      if (!this.#reported.has(key) && !reported.has(key)) this.#warn(message, details);
      reported.add(key);
    });
    this.#reported = reported;
    return snapshot;
  }
}

function build(parsed: ParsedFiles | null, withDrafts: boolean, warn: Warn): Snapshot {
  return buildSnapshot({ entries: entriesIn(parsed), media: mediaIn(parsed), warn, withDrafts });
}

function entriesIn(parsed: ParsedFiles | null): SourcedEntry[] {
  return [...(parsed?.entries.values() ?? [])].flatMap(({ value }) => value);
}
