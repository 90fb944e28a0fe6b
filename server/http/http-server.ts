import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { CONNECTION_LIMITS, type ConnectionLimits, KEEP_ALIVE_MS, MAX_HEADER_BYTES } from './limits.ts';
import { type Fields, headLines } from './ready-head.ts';

/** How often Node looks for connections past their time limit, in ms. A time limit below ten seconds is checked ten times within its length. */
const CHECK_INTERVAL_MS = 1_000;

/** The statuses of requests that Node cannot read, by the code of its error. Every other error is a 400. */
const UNREADABLE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

export interface HttpServerOptions {
  /** The headers of answers to requests that cannot be read, name and value. All other answers come from the listener. */
  headers?: Fields;
  limits?: ConnectionLimits | undefined;
}

/**
 * @returns an HTTP server that clients cannot block by sending slowly, too much, or nothing. A request that cannot be parsed is answered with
 * an error, and the connection ends: a proxy might have read such a request differently (RFC 9112, 11.2).
 */
export function createHttpServer(
  listener: RequestListener,
  { headers = [], limits: { receiveMs, stalledMs } = CONNECTION_LIMITS }: HttpServerOptions = {},
): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: receiveMs,
      requestTimeout: receiveMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, receiveMs / 10),
      // Node's own 400 would lack the headers. The listener answers a request without a Host header.
      requireHostHeader: false,
    },
    listener,
  );
  // Node destroys a connection that times out, unless there is a listener for `timeout`.
  server.timeout = stalledMs;
  // Node's own 417 would lack the headers. An expectation that the site does not know may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', listener);
  const lines = headLines(headers);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
    // An answer that has begun must not be continued by another one.
    if (socket.writable && !answer?.headersSent) {
      const status = UNREADABLE[error.code ?? ''] ?? 400;
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Cache-Control: no-store\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    }
    socket.destroy(error);
  });
  return server;
}
