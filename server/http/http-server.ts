import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  KEEP_ALIVE_MS,
  MAX_HEADER_BYTES,
} from './limits/limits.ts';
import { type Fields, headLines } from './ready-head.ts';

/** How often Node looks for connections past their time limit, in ms. */
const CHECK_INTERVAL_MS = 1_000;

/** The status by the code of Node's error, for requests that Node cannot read. Every other error is a 400. */
const UNREADABLE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

interface AnsweredConnection extends Duplex {
  /** The answer to the newest request on this connection. */
  latest?: ServerResponse;
}

export interface HttpServerOptions {
  /** The headers of answers to requests that cannot be read. */
  headers?: Fields;
  limits?: ConnectionLimits | undefined;
}

/**
 * Creates a server that clients cannot block by sending slowly, too much, or nothing. A request that cannot
 * be parsed ends the connection: a proxy might have read it differently (RFC 9112, 11.2).
 */
export function createHttpServer(
  listener: RequestListener,
  { headers = [], limits: { receiveMs, stalledMs } = CONNECTION_LIMITS }: HttpServerOptions = {},
): Server {
  // A property costs a cache hit less than a WeakMap, which each garbage collection walks.
  function answer(req: IncomingMessage & { socket: AnsweredConnection }, res: ServerResponse): void {
    req.socket.latest = res;
    listener(req, res);
  }

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
    answer,
  );
  // Node destroys a connection that times out, unless there is a listener for `timeout`.
  server.timeout = stalledMs;
  // Node's own 417 would lack the headers. An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', answer);
  const lines = headLines(headers);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweredConnection) => {
    const { latest } = socket;
    // The request that cannot be read may have its answer already, without its body. It gets no second one.
    const isAnswered = latest?.headersSent && !(latest.req.complete && latest.writableFinished);
    if (socket.writable && !isAnswered) {
      const status = UNREADABLE[error.code ?? ''] ?? 400;
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Cache-Control: no-store\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    }
    socket.destroy(error);
  });
  return server;
}
