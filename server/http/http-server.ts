import { createServer, type RequestListener, type Server } from 'node:http';
import { CONNECTION_LIMITS, type ConnectionLimits, KEEP_ALIVE_MS, MAX_HEADER_BYTES } from './limits.ts';

/** How often slow connections are looked for, in ms; at most a tenth of the time that a connection has. */
const LOOK_EVERY_MS = 1_000;

/**
 * @returns an HTTP server that clients cannot block by sending slowly, too much, or nothing. Node itself answers a request that it cannot
 * parse with 400 and closes the connection: such a request might be read in two ways (RFC 9112, 11.2).
 */
export function createHttpServer(
  listener: RequestListener,
  { receiveMs, stalledMs }: ConnectionLimits = CONNECTION_LIMITS,
): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: receiveMs,
      requestTimeout: receiveMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, receiveMs / 10),
    },
    listener,
  );
  // Node destroys a connection that times out, unless there is a listener for `timeout`.
  server.timeout = stalledMs;
  return server;
}
