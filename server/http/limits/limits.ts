/** Limits of one request: sizes in bytes, times in ms. Each endpoint that reads a body has its own limit. */

/** Requests with longer headers get a 431. */
export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_ADDRESS_LENGTH = 2_048;
/** The time until the response begins. Later the work is aborted and the response is a 503. */
export const REQUEST_DEADLINE_MS = 30_000;

export type ConnectionLimits = typeof CONNECTION_LIMITS;

export const CONNECTION_LIMITS = {
  /** The time for receiving the headers, and for the whole request. Later the response is a 408. */
  receiveMs: 15_000,
  /** How long a connection may have no traffic in either direction. */
  stalledMs: 60_000,
};

/** How long idle connections stay open. Proxies close them after 60 s; closing first could lose a request. */
export const KEEP_ALIVE_MS = 65_000;
