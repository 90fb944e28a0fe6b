import { readFileSync, type Stats, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { lookup } from 'mime-types';
import { imageSize } from '../../media/renditions/image-size.ts';
import { inSlices, mapSteps } from '../../ops/slices.ts';
import type { MediaFile, Warn } from '../build-rows.ts';
import { contentSources } from '../content-types.ts';
import { checkDates, parseContentFile, type SourcedEntry, sourceOf } from '../read-content.ts';
import { stableId } from '../stable-id.ts';

const UPLOADS = 'uploads/';

interface FileState {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

interface ReadFile<T> {
  readonly version: string;
  readonly value: T;
}

export interface ParsedFiles {
  readonly entries: ReadonlyMap<string, ReadFile<readonly SourcedEntry[]>>;
  readonly media: ReadonlyMap<string, ReadFile<MediaFile>>;
}

export function mediaIn(parsed: ParsedFiles | null): ReadonlyMap<string, MediaFile> {
  const files = [...(parsed?.media ?? [])];
  return new Map(files.map(([path, { value }]) => [path.slice(UPLOADS.length), value]));
}

/** Reads files whose time or size has changed. Unlike `fs.watch`, this works on network mounts. */
export class FolderFiles {
  readonly #contentDir: string;
  readonly #warn: Warn;
  #parsed: ParsedFiles | null = null;
  #fingerprint = '';

  constructor(contentDir: string, warn: Warn) {
    this.#contentDir = contentDir;
    this.#warn = warn;
  }

  /** Returns the same object until a file changes. @throws Error if the folder cannot be read. */
  async parsed(): Promise<ParsedFiles> {
    const files = await this.#list();
    const fingerprint = files.map(file => `${file.path} ${versionOf(file)}`).join('\n');
    if (this.#parsed === null || fingerprint !== this.#fingerprint) {
      this.#parsed = await this.#readChanged(files);
      this.#fingerprint = fingerprint;
    }
    return this.#parsed;
  }

  async #readChanged(files: readonly FileState[]): Promise<ParsedFiles> {
    const entries = new Map<string, ReadFile<readonly SourcedEntry[]>>();
    const media = new Map<string, ReadFile<MediaFile>>();
    for (const file of files) {
      const { path } = file;
      const version = versionOf(file);
      const isUpload = path.startsWith(UPLOADS);
      const [entry, upload] = [this.#parsed?.entries.get(path), this.#parsed?.media.get(path)];
      try {
        if (isUpload)
          media.set(
            path,
            upload?.version === version ? upload : { version, value: await this.#upload(file) },
          );
        else if (entry?.version === version) entries.set(path, entry);
        else {
          const value = await this.#entries(file);
          if (value) entries.set(path, { version, value });
        }
      } catch (error) {
        this.#warn('A content file could not be read', { file: path, reason: reasonOf(error) });
        // Remember an unreadable entry, so that it is reported once. Retry an upload at the next change.
        if (!isUpload) entries.set(path, { version, value: entry?.value ?? [] });
        else if (upload) media.set(path, upload);
      }
    }
    return { entries, media };
  }

  async #entries(file: FileState): Promise<readonly SourcedEntry[] | null> {
    const source = sourceOf(file.path, contentSources);
    if (!source) return null;
    const raw = parseContentFile(source, file.path, (await this.#bytesOf(file)).toString());
    for (const entry of raw) checkDates(entry.values);
    return raw.map(entry => ({ ...entry, source, file: file.path, mtimeMs: file.mtimeMs }));
  }

  #upload(file: FileState): Promise<MediaFile> {
    return describeMediaFile(file.path.slice(UPLOADS.length), () => this.#bytesOf(file), file);
  }

  /** Reads an upload. The first snapshot reads in the main thread, because another thread takes longer. */
  async #bytesOf(file: FileState): Promise<Buffer> {
    const absolute = join(this.#contentDir, file.path);
    if (this.#parsed !== null) return readFile(absolute);
    const [bytes] = await inSlices(mapSteps([absolute], path => readFileSync(path)));
    return bytes ?? Buffer.alloc(0);
  }

  async #list(): Promise<FileState[]> {
    const found = (await readdir(this.#contentDir, { recursive: true, withFileTypes: true }))
      .filter(entry => !entry.isDirectory())
      .map(entry => join(entry.parentPath, entry.name));
    const stated =
      this.#parsed === null
        ? await inSlices(mapSteps(found, stateNow))
        : await Promise.all(found.map(file => stat(file).catch(() => null)));
    const files = found.flatMap((file, index) => {
      const stats = stated[index];
      if (!stats?.isFile()) return [];
      const path = relative(this.#contentDir, file).split(sep).join('/');
      return [{ path, size: stats.size, mtimeMs: stats.mtimeMs }];
    });
    return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }
}

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

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const SIZED = ['image/svg+xml', 'image/png', 'image/jpeg'];

/** Describes an upload. `name` is its path below `content/uploads`; `read` is called for images. */
async function describeMediaFile(
  name: string,
  read: () => Promise<Buffer>,
  stats: { size: number; mtimeMs: number },
): Promise<MediaFile> {
  const ext = extname(name).toLowerCase();
  const mime = lookup(ext) || 'application/octet-stream';
  const size = SIZED.includes(mime) ? imageSize(await read(), mime) : null;
  const time = new Date(stats.mtimeMs).toISOString();
  return {
    ...stableId('media', name),
    attributes: {
      name: basename(name),
      alternativeText: null,
      caption: null,
      focalPoint: null,
      width: size?.width ?? null,
      height: size?.height ?? null,
      formats: null,
      hash: basename(name, extname(name)),
      ext,
      mime,
      // Convert to kilobytes, as Strapi does.
      size: Math.round(stats.size / 10) / 100,
      url: `/uploads/${name.split('/').map(encodeURIComponent).join('/')}`,
      previewUrl: null,
      provider: 'local',
      provider_metadata: null,
      createdAt: time,
      updatedAt: time,
      publishedAt: time,
    },
  };
}
