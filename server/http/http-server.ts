import { createServer, type RequestListener, type Server } from 'node:http';
import { CONNECTION_LIMITS, type ConnectionLimits, KEEP_ALIVE_MS, MAX_HEADER_BYTES } from './limits.ts';

/** How often connections are looked at for being too slow, in ms; at most a tenth of what they are given. */
const LOOK_EVERY_MS = 1_000;

/**
 * @returns an HTTP server that cannot be held up by those who send slowly, send too much, or send nothing. What cannot be
 * parsed is 400 by Node itself, with the connection closed: two readings of one request (RFC 9112, 11.2) end there.
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
  // Without a listener for it the connection is destroyed.
  server.timeout = stalledMs;
  return server;
}
