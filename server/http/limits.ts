/** The limits of one request: sizes in bytes, times in ms. Endpoints that read a body set a limit of their own for it. */

/** All headers of a request together; beyond it the answer is 431. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** An address with its query, in characters; beyond it the answer is 414. */
export const MAX_ADDRESS_LENGTH = 2_048;
/** An answer that has not begun after this time is a 503, and the work on it is aborted. */
export const REQUEST_DEADLINE_MS = 30_000;

/** Times after which a connection is cut. */
export interface ConnectionLimits {
  /** For receiving the headers, and for receiving the whole request. A slower client gets 408, and so does one that sends nothing. */
  receiveMs: number;
  /** For a connection without traffic in either direction, such as that of a client that does not read its answer. */
  stalledMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = { receiveMs: 15_000, stalledMs: 60_000 };

/**
 * How long an idle connection is kept for the next request. Proxies and load balancers close theirs after a minute. If the server closed
 * first, a request that is already on its way would be lost.
 */
export const KEEP_ALIVE_MS = 65_000;
