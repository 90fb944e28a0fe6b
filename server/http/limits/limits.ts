/** The limits of one request: sizes in bytes, times in ms. Each endpoint that reads a body has its limit. */

/** All headers together; beyond it the answer is 431. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** An address with its query, in characters; beyond it the answer is 414. */
export const MAX_ADDRESS_LENGTH = 2_048;
/** An answer that has not begun after this time is a 503, and the work on it is aborted. */
export const REQUEST_DEADLINE_MS = 30_000;

/** Times after which a connection is cut. */
export interface ConnectionLimits {
  /** For receiving the headers, and for the whole request. Beyond it the answer is 408. */
  receiveMs: number;
  /** For a connection without traffic in either direction. */
  stalledMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = { receiveMs: 15_000, stalledMs: 60_000 };

/** Proxies close idle connections after a minute. Closing first would lose a request on its way. */
export const KEEP_ALIVE_MS = 65_000;
