import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type Behaviour, sendJson } from './fake-backend.ts';
import { close, listen } from './listen.ts';

export interface RelayedCall {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Relay {
  url: string;
  calls: RelayedCall[];
  callsTo(path: string): RelayedCall[];
  /** Answers a path instead of the target server, until `reset`. */
  on(path: string, behaviour: Behaviour): void;
  /** Closes every connection, until `reset`. */
  goDown(): void;
  /** Accepts every call and never answers, until `reset`. */
  hang(): void;
  reset(): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of a server. It forwards calls and records them. A test can make it fail. */
export async function startRelay(target: string): Promise<Relay> {
  const behaviours = new Map<string, Behaviour>();
  const calls: RelayedCall[] = [];
  let down = false;
  let hangs = false;
  const server = createServer(async (req, res) => {
    if (down) return void req.socket.destroy();
    if (hangs) return;
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/';
    const call: RelayedCall = { method: req.method ?? '', path, headers: req.headers, body: '' };
    calls.push(call);
    for await (const chunk of req) call.body += chunk;
    const behaviour = behaviours.get(path);
    if (typeof behaviour === 'function') behaviour(req, res);
    else if (behaviour) sendJson(res, 200, behaviour);
    else passOn(target, req, call.body, res);
  });
  const url = await listen(server);
  return {
    url,
    calls,
    callsTo: called => calls.filter(({ path }) => path === called),
    on: (path, behaviour) => void behaviours.set(path, behaviour),
    goDown() {
      down = true;
      server.closeAllConnections();
    },
    hang() {
      hangs = true;
    },
    reset() {
      down = false;
      hangs = false;
      behaviours.clear();
      calls.length = 0;
    },
    close: () => close(server),
  };
}

function passOn(target: string, req: IncomingMessage, body: string, res: ServerResponse): void {
  const { method, headers } = req;
  const onwards = request(target + req.url, { method, headers }, answer => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  onwards.on('error', () => res.destroy());
  onwards.end(body);
}
