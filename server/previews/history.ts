import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import * as z from 'zod';
import { DiskStore, type DiskStoreOptions } from '../cache/disk/disk-store.ts';
import { steadyNow } from '../ops/steady-clock.ts';

const DAY_MS = 24 * 3_600_000;
/** How long a version stays after another one has replaced it, in ms. */
export const HISTORY_MS = 90 * DAY_MS;
/** The folder beside the content of a backend, and the version of its format. */
export const HISTORY_FOLDER = 'history/1';
/** Limit for the versions of one key, in bytes before compression, because they are written together. */
const MAX_KEY_BYTES = 8 * 1024 * 1024;
const ERASED = '';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Describes a version. `at`: when the site began to show it, in ms since the epoch. */
const versionsSchema = z.array(
  z.object({ at: z.number(), digest: z.string(), bytes: z.int().nonnegative() }),
);
type Versions = z.infer<typeof versionsSchema>;
const textsSchema = z.array(z.string());

/** A version. Its body is a JSON array of the CMS's responses as texts, empty for removed content. */
interface Version {
  readonly at: number;
  readonly digest: string;
  readonly body: Buffer;
}

/** What the site has shown: all versions of the CMS's responses, by the key of the content. */
export class History {
  readonly #store: DiskStore<Versions>;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(options: Omit<DiskStoreOptions<Versions>, 'decodeMeta'>) {
    this.#store = new DiskStore({ ...options, decodeMeta: versionsSchema.parse });
  }

  /** @param record what the site shows from now on; null for removed content. */
  readonly note = async (key: string, record: { readonly answers: readonly string[] } | null) => {
    const versions = (await this.#store.read(key))?.meta;
    if (!versions && record === null) return;
    const body = Buffer.from(JSON.stringify(record?.answers ?? []));
    const digest = hash('sha256', body, 'base64url');
    const isKnown = versions?.at(-1)?.digest === digest;
    // Renew the file's time, which is when the content was last seen.
    if (isKnown && !isExpired(versions[1])) return this.#store.touch(key);
    const known = await this.#versionsOf(key);
    await this.#write(key, withinBounds(isKnown ? known : [...known, { at: Date.now(), digest, body }]));
  };

  /** @returns the CMS's responses at a time as texts, none for removed content; null if that is not known. */
  async answersAt(key: string, at: number): Promise<readonly string[] | null> {
    const found = (await this.#versionsOf(key)).findLast(version => version.at <= at);
    return found && found.digest !== ERASED ? textsOf(found) : null;
  }

  /**
   * Erases all versions that contain an entry. What the site showed at those times is then unknown.
   * @param type the path of the type.
   * @param id the `documentId`. Also the `id` of Strapi 4, but only in responses for the type itself.
   * @returns the number of erased versions.
   */
  async forget(type: string, id: string): Promise<number> {
    let erased = 0;
    for await (const { key } of this.#store.entries()) {
      const names = /^[^/?]+/.exec(key)?.[0] === type ? ['documentId', 'id'] : ['documentId'];
      const versions = await this.#versionsOf(key);
      const kept = versions.map(version =>
        hasRow(version, names, id) ? { ...version, digest: ERASED, body: Buffer.alloc(0) } : version,
      );
      const count = kept.filter((version, place) => version !== versions[place]).length;
      erased += count;
      if (kept.every(({ digest }) => digest === ERASED)) await this.#store.remove(key);
      else if (count > 0) await this.#write(key, kept);
    }
    return erased;
  }

  /** Once a day deletes content not seen for HISTORY_MS. A downtime of `pausedMs` does not count. */
  async sweep(pausedMs: number): Promise<void> {
    const now = steadyNow();
    if (now - this.#sweptAt < DAY_MS) return;
    this.#sweptAt = now;
    await this.#store.removeUnused(now - pausedMs - HISTORY_MS);
  }

  async #versionsOf(key: string): Promise<readonly Version[]> {
    const entry = await this.#store.readWithBody(key);
    if (!entry) return [];
    const bodies = await decompress(entry.body);
    let end = 0;
    return entry.meta.map(({ at, digest, bytes }) => {
      end += bytes;
      return { at, digest, body: bodies.subarray(end - bytes, end) };
    });
  }

  async #write(key: string, versions: readonly Version[]): Promise<void> {
    // Compress the versions together, because they are nearly equal.
    const bodies = await compress(Buffer.concat(versions.map(({ body }) => body)));
    await this.#store.write(key, bodies, () =>
      versions.map(({ at, digest, body }) => ({ at, digest, bytes: body.byteLength })),
    );
  }
}

/** @param next the version that has replaced the one in question. */
function isExpired(next: Pick<Version, 'at'> | undefined): boolean {
  return next !== undefined && next.at < Date.now() - HISTORY_MS;
}

function withinBounds(versions: readonly Version[]): readonly Version[] {
  let bytes = 0;
  const young = versions.filter((_version, place) => !isExpired(versions[place + 1]));
  return young
    .toReversed()
    .filter(({ body }, place) => {
      bytes += body.byteLength;
      return place === 0 || bytes <= MAX_KEY_BYTES;
    })
    .toReversed();
}

function textsOf({ body }: Version): readonly string[] {
  return textsSchema.parse(JSON.parse(body.toString()));
}

function hasRow(version: Version, names: readonly string[], id: string): boolean {
  if (version.digest === ERASED || !version.body.includes(id)) return false;
  let isFound = false;
  for (const text of textsOf(version))
    JSON.parse(text, (name, value: unknown) => {
      isFound ||= names.includes(name) && String(value) === id;
    });
  return isFound;
}
