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

const CHECK_INTERVAL_MS = 1_000;

const UNREADABLE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

interface AnsweredConnection extends Duplex {
  latest?: ServerResponse;
}

interface HttpServerOptions {
  headers?: Fields;
  limits?: ConnectionLimits | undefined;
}

/**
 * Creates a server that slow or silent clients and large headers cannot block. An unreadable request ends
 * the connection, because a proxy may read it differently (RFC 9112, 11.2).
 */
export function createHttpServer(
  listener: RequestListener,
  { headers = [], limits: { receiveMs, stalledMs } = CONNECTION_LIMITS }: HttpServerOptions = {},
): Server {
  // Use a property, not a WeakMap: each garbage collection would walk it, which slows down cache hits.
  function answer(req: IncomingMessage & { socket: AnsweredConnection }, res: ServerResponse): void {
    req.socket.latest = res;
    listener(req, res);
  }

  const checkEveryMs = Math.min(CHECK_INTERVAL_MS, receiveMs / 10);
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: receiveMs,
      requestTimeout: receiveMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: checkEveryMs,
      // Let the listener refuse a missing Host header, because Node's 400 would lack the site's headers.
      requireHostHeader: false,
    },
    answer,
  );
  // Let Node destroy connections without traffic. A listener for `timeout` would prevent this.
  server.timeout = stalledMs;
  // Ignore unknown expectations (RFC 9110, 10.1.1), because Node's 417 would lack the site's headers.
  server.on('checkExpectation', answer);
  const lines = headLines(headers);
  const refuse = (error: NodeJS.ErrnoException, socket: AnsweredConnection): void => {
    const { latest } = socket;
    // Send nothing if the unreadable request already has a response.
    const isAnswered = latest?.headersSent && !(latest.req.complete && latest.writableFinished);
    if (socket.writable && !isAnswered) {
      const status = UNREADABLE[error.code ?? ''] ?? 400;
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Cache-Control: no-store\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    }
    socket.destroy(error);
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweredConnection) => {
    // Spread the refusals of late requests over time, because a thousand at once would delay visitors.
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isLate) setTimeout(refuse, Math.random() * checkEveryMs, error, socket).unref();
    else refuse(error, socket);
  });
  return server;
}
