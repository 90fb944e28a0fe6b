/**
 * The facts about one request that the access log writes, and with `npm run dev` also `Server-Timing`. The steps of the request record
 * them here, and no step decides anything by them.
 */
export class RequestTrace {
  #route: string | null = null;
  #pageCache: string | null = null;
  readonly #contentReads: Record<string, number> = {};

  /** @param route the id of the route that answers; null for an answer without a route, such as a redirect. */
  route(route: string | null): void {
    this.#route = route;
  }

  /** @param outcome of the page cache: `hit`, `stale`, `miss` or `bypass`. */
  pageCache(outcome: string): void {
    this.#pageCache = outcome;
  }

  /** @param outcome of the content cache for one read. */
  contentRead(outcome: string): void {
    this.#contentReads[outcome] = (this.#contentReads[outcome] ?? 0) + 1;
  }

  /** @returns the fields for the access log. */
  record(): {
    route: string | null;
    pageCache: string | null;
    contentCache: Readonly<Record<string, number>>;
  } {
    return { route: this.#route, pageCache: this.#pageCache, contentCache: this.#contentReads };
  }

  /** @param startedAt by `performance.now()`. @returns the value of `Server-Timing`, for the browser's developer tools. */
  serverTiming(startedAt: number): string {
    const reads = Object.entries(this.#contentReads).map(([outcome, times]) => `${outcome} ${times}`);
    const total = (performance.now() - startedAt).toFixed(1);
    return `page;desc="${this.#pageCache}", content;desc="${reads.join(', ')}", total;dur=${total}`;
  }
}
