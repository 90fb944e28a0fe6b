import type { DiskEntry } from '../cache/disk/disk-store.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { mediaType, TYPE_BYTES } from './media-type.ts';
import { readDigest } from './whole-body.ts';

const MAX_CHECKED = 20_000;

export interface CheckedBody {
  readonly sha256: string;
  /** By its bytes; null for a file that the site does not serve. */
  readonly type: string | null;
}

/**
 * Checks the digests of stored files, once in a process: after a power cut a disk may give other bytes of the
 * right length.
 */
export class CheckedBodies {
  readonly #checked = boundedMap<CheckedBody>(MAX_CHECKED);
  readonly #flights = new SingleFlight();

  /** @returns null when the body is not as it was written. @param declared the origin's `Content-Type`. */
  async check(entry: DiskEntry<unknown>, declared: string): Promise<CheckedBody | null> {
    const known = this.#checked.get(entry.file);
    if (known?.sha256 === entry.sha256) return known;
    return this.#flights.run(`${entry.sha256} ${entry.file}`, async () => {
      const { sha256, head } = await readDigest(entry.file, entry.bodyBytes, TYPE_BYTES);
      return sha256 === entry.sha256 ? this.note(entry, head, declared) : null;
    });
  }

  /** Notes a file that this process has written. @param head its first TYPE_BYTES. */
  note({ file, sha256 }: DiskEntry<unknown>, head: Buffer, declared: string): CheckedBody {
    const body = { sha256, type: mediaType(head, declared) };
    this.#checked.set(file, body);
    return body;
  }
}
