/**
 * The trace of one request, for its line in the log. Steps write to it, and only the access log and, with `npm run dev`, `Server-Timing`
 * read it: no step decides anything by it.
 */
export class RequestTrace {
  #route: string | null = null;
  #pageCache: string | null = null;
  readonly #contentReads: Record<string, number> = {};

  /** @param route the id of the route that answers; null when the answer stands before all routes, as a redirect does. */
  route(route: string | null): void {
    this.#route = route;
  }

  /** @param outcome of the page cache: `hit`, `stale`, `miss` or `bypass`. */
  pageCache(outcome: string): void {
    this.#pageCache = outcome;
  }

  /** @param outcome of the content cache, for one read. */
  contentRead(outcome: string): void {
    this.#contentReads[outcome] = (this.#contentReads[outcome] ?? 0) + 1;
  }

  /** @returns the trace's part of the line in the log. */
  record(): {
    route: string | null;
    pageCache: string | null;
    contentCache: Readonly<Record<string, number>>;
  } {
    return { route: this.#route, pageCache: this.#pageCache, contentCache: this.#contentReads };
  }

  /** @param startedAt on the clock of `performance`, in ms. @returns the value of `Server-Timing`, for the browser's own tools. */
  serverTiming(startedAt: number): string {
    const reads = Object.entries(this.#contentReads).map(([outcome, times]) => `${outcome} ${times}`);
    const total = (performance.now() - startedAt).toFixed(1);
    return `page;desc="${this.#pageCache}", content;desc="${reads.join(', ')}", total;dur=${total}`;
  }
}
