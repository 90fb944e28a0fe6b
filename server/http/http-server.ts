import { createServer, type RequestListener, type Server } from 'node:http';
import { CONNECTION_LIMITS, type ConnectionLimits, KEEP_ALIVE_MS, MAX_HEADER_BYTES } from './limits.ts';

/** How often Node looks for connections past their time limit, in ms. A time limit below ten seconds is checked ten times within its length. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * @returns an HTTP server that clients cannot block by sending slowly, too much, or nothing. Node itself answers 400 to a request that it
 * cannot parse, and closes the connection: a proxy might have read such a request differently (RFC 9112, 11.2).
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
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, receiveMs / 10),
    },
    listener,
  );
  // Node destroys a connection that times out, unless there is a listener for `timeout`.
  server.timeout = stalledMs;
  return server;
}
