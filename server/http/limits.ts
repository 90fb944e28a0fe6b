/** The limits of one request: sizes in bytes, times in ms. Endpoints that read a body set a limit of their own for it. */

/** All headers of a request together; beyond it the answer is 431. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** An address with its query; beyond it the answer is 414. In characters, which are ASCII. */
export const MAX_ADDRESS_LENGTH = 2_048;
/** An answer that has not begun after this time is a 503, and the work on it is aborted. */
export const REQUEST_DEADLINE_MS = 30_000;

/** Times after which a connection is cut. */
export interface ConnectionLimits {
  /** For receiving the headers, and for receiving the whole request: a slower client gets 408. Also for a connection without any bytes. */
  receiveMs: number;
  /** For a connection on which nothing moves in either direction: a client that does not read its answer. */
  stalledMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = { receiveMs: 15_000, stalledMs: 60_000 };

/**
 * How long a connection is kept for a next request: longer than the minute after which proxies and load balancers close
 * theirs. The side that closes first may close while a request is on its way, and that request is lost.
 */
export const KEEP_ALIVE_MS = 65_000;
