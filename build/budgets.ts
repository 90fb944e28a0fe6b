/** A size in bytes, as sent over the network (Brotli for text). */
export interface Budget {
  readonly ceiling: number;
  /** The tests fail below this size, about 10 % below today's: the bundle has probably lost something. */
  readonly floor: number;
}

/** The limits for the first page of a visit. `tests/build/weight.test.ts` measures the sizes. */
export const BUDGETS = {
  /** The data that a new connection sends before it waits (RFC 6928): ten segments of 1,460 bytes. */
  homeDocument: { ceiling: 14_600, floor: 13_000 },
  /** All scripts that the home page loads until it is hydrated. */
  homeScripts: { ceiling: 98_200, floor: 88_000 },
  /** Nine tenths of it are React, React DOM and React Router. */
  articleScripts: { ceiling: 98_200, floor: 87_000 },
  stylesheet: { ceiling: 20_000, floor: 7_100 },
  /** The fonts that every page preloads. A brand with one face has half as many bytes. */
  fonts: { ceiling: 40_000, floor: 15_000 },
} as const satisfies Record<string, Budget>;

/** Limit for the requests of a first visit to the landing page, without scrolling and prefetches. */
export const HOME_REQUESTS = 25;
