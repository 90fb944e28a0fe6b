import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { within } from '../../server/cache/within.ts';
import { isLoopbackAddress } from '../../server/http/request/request-origin.ts';

import { NONCE, PAGE_SCRIPT } from './names.ts';

type Handler = (req: IncomingMessage, res: ServerResponse) => boolean;

const OF_CONNECTION = /^(?:connection|keep-alive)$/i;

/** A proxy in front of the server. Requests wait while the server restarts, so that none is refused. */
export class Front {
  readonly server: Server;
  port = 0;
  #own: Handler = () => false;
  #port: number | null = null;
  #mayPass = Promise.withResolvers<void>();
  readonly #inFlight = new Set<ServerResponse>();

  constructor() {
    this.server = createServer((req, res) => {
      if (!this.#own(req, res)) void this.#pass(req, res);
    });
    // Let a request take any time, because a developer may stop at a breakpoint.
    this.server.requestTimeout = 0;
  }

  async listen(port: number, host: string, own: Handler): Promise<void> {
    this.#own = own;
    this.server.listen(port, host);
    await once(this.server, 'listening');
    // The cast is safe: the server listens on a port, not on a socket file.
    this.port = (this.server.address() as AddressInfo).port;
  }

  hold(): void {
    this.#mayPass.resolve();
    this.#mayPass = Promise.withResolvers();
  }

  /** Lets requests pass. @param port the server's port; null if no server runs. */
  open(port: number | null): void {
    this.#port = port;
    this.#mayPass.resolve();
  }

  /** Waits for open responses, at most `limitMs`, because a stream may have no end. */
  async settled(limitMs: number): Promise<void> {
    await within(limitMs, Promise.all([...this.#inFlight].map(res => once(res, 'close'))));
  }

  async #pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // Check again after waiting, because another change may have begun.
    for (let gate: unknown; gate !== this.#mayPass; ) {
      gate = this.#mayPass;
      await this.#mayPass.promise;
    }
    // The browser may have disconnected meanwhile.
    if (res.destroyed) return;
    if (this.#port === null) return sendEmptyPage(res);
    this.#inFlight.add(res);
    res.once('close', () => this.#inFlight.delete(res));
    const asked = request({
      ...{ host: '127.0.0.1', port: this.#port, setHost: false },
      ...{ method: req.method, path: req.url, headers: headersOf(req) },
    });
    asked.on('response', answer => {
      res.writeHead(answer.statusCode ?? 502, withDevPolicy(answer.rawHeaders));
      answer.pipe(res);
      answer.once('error', () => res.destroy());
    });
    asked.on('error', () => (res.headersSent ? res.destroy() : sendEmptyPage(res)));
    res.once('close', () => asked.destroy());
    req.pipe(asked);
  }
}

/** Adds the address of a client on another machine, because the server sees only this proxy. */
function headersOf({ headers, socket: { remoteAddress = '' } }: IncomingMessage): IncomingMessage['headers'] {
  return isLoopbackAddress(remoteAddress) ? headers : { ...headers, 'x-forwarded-for': remoteAddress };
}

/** @param headers names and values, alternating */
function withDevPolicy(headers: readonly string[]): string[] {
  const pairs = Array.from({ length: headers.length / 2 }, (_, index) =>
    headers.slice(2 * index, 2 * index + 2),
  );
  return pairs
    .filter(([name = '']) => !OF_CONNECTION.test(name))
    .flatMap(([name = '', value = '']) => [
      name,
      name === 'Content-Security-Policy'
        ? value.replace("style-src 'self'", `style-src 'self' 'nonce-${NONCE}'`)
        : value,
    ]);
}

/** Sends a page that shows the mistakes, and reloads when they are mended. */
function sendEmptyPage(res: ServerResponse): void {
  res.writeHead(503, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(`<!doctype html><title>No server</title><script type="module" src="${PAGE_SCRIPT}"></script>`);
}
