import type { IncomingHttpHeaders } from 'node:http';

/** Headers of proxies: RFC 7239 and earlier ones, and of CDNs. */
const HEADERS = ['via', 'forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** The last request that was no cache hit. It shows operators whether the proxies in front fit. */
export class LastRequest {
  #last: { at: number; headers: IncomingHttpHeaders; isSecure: boolean } | null = null;

  note(headers: IncomingHttpHeaders, isSecure: boolean): void {
    this.#last = { at: Date.now(), headers, isSecure };
  }

  /** @returns null before the first request. `at` is in ms since the epoch. */
  get report() {
    if (this.#last === null) return null;
    const { at, headers, isSecure } = this.#last;
    const listOf = (name: string) => String(headers[name] ?? '').split(',');
    return {
      at,
      isSecure,
      headers: HEADERS.filter(name => headers[name] !== undefined),
      addresses: headers['x-forwarded-for'] === undefined ? 0 : listOf('x-forwarded-for').length,
      // Only the two words are shown, because a visitor may send any.
      protocol: ['https', 'http'].find(word => listOf('x-forwarded-proto')[0]?.trim() === word) ?? null,
    };
  }
}
