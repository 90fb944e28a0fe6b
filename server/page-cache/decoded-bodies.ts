import { LRUCache } from 'lru-cache';
import { boundedMap } from '../ops/bounded-map.ts';
import { identityOf, type StoredPage } from './stored-page.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Uncompressed bodies by ETag, for clients without compression (decision 060). The second request stores one,
 * so that a crawler that reads each page once evicts none.
 */
export class DecodedBodies {
  readonly #bodies = new LRUCache<string, Buffer>({ maxSize: MAX_BYTES, sizeCalculation: own => own.length });
  readonly #askedOnce = boundedMap<true>(10_000);

  get size() {
    return { bytes: this.#bodies.calculatedSize, entries: this.#bodies.size };
  }

  of(page: StoredPage): Buffer | Promise<Buffer> {
    return page.encodings.identity ?? this.#bodies.get(page.etag) ?? this.#decode(page);
  }

  forget({ etag }: StoredPage): void {
    this.#bodies.delete(etag);
    this.#askedOnce.delete(etag);
  }

  async #decode(page: StoredPage): Promise<Buffer> {
    const isAskedAgain = this.#askedOnce.has(page.etag);
    this.#askedOnce.set(page.etag, true);
    const body = await identityOf(page);
    // Check again, because the page may have been replaced meanwhile.
    if (isAskedAgain && this.#askedOnce.has(page.etag)) this.#bodies.set(page.etag, body);
    return body;
  }
}
