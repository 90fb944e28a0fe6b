/** Limits of one request: sizes in bytes, times in ms. Each endpoint that reads a body has another limit. */

/** Requests with longer headers get a 431. */
export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_ADDRESS_LENGTH = 2_048;
/** The time to begin an answer. Later the work is aborted and the answer is a 503. */
export const REQUEST_DEADLINE_MS = 30_000;

export type ConnectionLimits = typeof CONNECTION_LIMITS;

export const CONNECTION_LIMITS = {
  /** The time for receiving the headers, and for the whole request. Later the answer is a 408. */
  receiveMs: 15_000,
  /** The time for a connection without traffic in either direction. */
  stalledMs: 60_000,
};

/** How long idle connections stay. Proxies close them after 60 s; closing first could lose a request. */
export const KEEP_ALIVE_MS = 65_000;
