/** A weight in bytes, as it goes over the wire (brotli for text). */
export interface Budget {
  /** More than this is refused by the tests: a visitor on a telephone would notice. */
  readonly ceiling: number;
  /** Less than this is no success but a bundle that has lost something: about 10 % below the figure of today. */
  readonly floor: number;
}

/** What the first page of a visit may weigh. The one place that says so; measured by `tests/build/weight.test.ts`. */
export const BUDGETS = {
  /**
   * The landing page of the sample content with its headers. A new connection sends ten segments of 1,460 bytes before it
   * waits for an answer (RFC 6928): one byte more, and everything is a round trip later.
   */
  homeDocument: { ceiling: 14_600, floor: 13_000 },
  /** All scripts that the home page loads before it is alive. */
  homeScripts: { ceiling: 105_000, floor: 90_000 },
  /** The same for an article. Nine tenths of it are React, React DOM and React Router. */
  articleScripts: { ceiling: 100_000, floor: 89_000 },
  /** The one stylesheet of all pages. */
  stylesheet: { ceiling: 20_000, floor: 7_100 },
  /** The fonts that every page preloads. */
  fonts: { ceiling: 40_000, floor: 32_500 },
} as const satisfies Record<string, Budget>;
