/** A size in bytes, as sent over the network (brotli for text). */
export interface Budget {
  /** The tests fail above this size. */
  readonly ceiling: number;
  /** The tests fail below this size, about 10 % below today's: the bundle has probably lost something. */
  readonly floor: number;
}

/** The limits for the first page of a visit. `tests/build/weight.test.ts` measures the sizes. */
export const BUDGETS = {
  /** Ten segments of 1,460 bytes, with headers: what a new connection sends before it waits (RFC 6928). */
  homeDocument: { ceiling: 14_600, floor: 13_000 },
  /** All scripts that the home page loads until it is hydrated. */
  homeScripts: { ceiling: 98_000, floor: 88_000 },
  /** Nine tenths are React, React DOM and React Router. */
  articleScripts: { ceiling: 98_000, floor: 87_000 },
  stylesheet: { ceiling: 20_000, floor: 7_100 },
  /** The fonts that every page preloads. */
  fonts: { ceiling: 40_000, floor: 32_500 },
} as const satisfies Record<string, Budget>;

/** The most requests of a first visit of the landing page that does not scroll, without prefetches. */
export const HOME_REQUESTS = 25;
