import { LRUCache } from 'lru-cache';
import { boundedMap } from '../ops/bounded-map.ts';
import { identityOf, type StoredPage } from './stored-page.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Uncompressed bodies of pages that are stored compressed, for clients that accept no compression (decision 060). A body is kept from the second request on, so that
 * a crawler that reads each page once displaces none. Bodies are named by ETags, which are digests of them.
 */
export class DecodedBodies {
  readonly #bodies = new LRUCache<string, Buffer>({ maxSize: MAX_BYTES, sizeCalculation: own => own.length });
  readonly #askedOnce = boundedMap<true>(10_000);

  get size() {
    return { bytes: this.#bodies.calculatedSize, entries: this.#bodies.size };
  }

  /** @returns the uncompressed body of a page. */
  of(page: StoredPage): Buffer | Promise<Buffer> {
    return page.encodings.identity ?? this.#bodies.get(page.etag) ?? this.#decode(page);
  }

  /** Forgets the body of a page that is no longer stored. */
  forget({ etag }: StoredPage): void {
    this.#bodies.delete(etag);
    this.#askedOnce.delete(etag);
  }

  async #decode(page: StoredPage): Promise<Buffer> {
    const isAskedAgain = this.#askedOnce.has(page.etag);
    this.#askedOnce.set(page.etag, true);
    const body = await identityOf(page);
    // The page may have been replaced meanwhile.
    if (isAskedAgain && this.#askedOnce.has(page.etag)) this.#bodies.set(page.etag, body);
    return body;
  }
}
