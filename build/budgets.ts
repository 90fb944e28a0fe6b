/** A size in bytes, as sent over the network (brotli for text). */
export interface Budget {
  /** The tests fail above this size: a visitor with a phone would notice the difference. */
  readonly ceiling: number;
  /** The tests fail below this size, because the bundle has probably lost something. About 10 % below today's size. */
  readonly floor: number;
}

/** The limits for the first page of a visit. `tests/build/weight.test.ts` measures the sizes. */
export const BUDGETS = {
  /**
   * The landing page of the sample content with its headers, without those that only caches in front read: they keep them. A new connection
   * sends ten segments of 1,460 bytes before it waits for an acknowledgement (RFC 6928). One byte more costs a round trip.
   */
  homeDocument: { ceiling: 14_600, floor: 13_000 },
  /** All scripts that the home page loads until it is hydrated. */
  homeScripts: { ceiling: 98_000, floor: 88_000 },
  /** All scripts that an article loads until it is hydrated. Nine tenths are React, React DOM and React Router. */
  articleScripts: { ceiling: 98_000, floor: 87_000 },
  /** The one stylesheet of all pages. */
  stylesheet: { ceiling: 20_000, floor: 7_100 },
  /** The fonts that every page preloads. */
  fonts: { ceiling: 40_000, floor: 32_500 },
} as const satisfies Record<string, Budget>;

/** The most requests of a first visit of the landing page of the sample content that does not scroll, without prefetches. */
export const HOME_REQUESTS = 25;
