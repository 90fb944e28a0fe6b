import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MailBackend {
  readonly url: string;
  /** Messages by key. A message with a known key is not kept again (IETF draft of `Idempotency-Key`). */
  readonly kept: ReadonlyMap<string, string>;
  /** Messages that came again, and those of them that were not the same. */
  readonly repeated: number;
  readonly different: number;
  /** Called with each message: before it is kept, and before it is answered. */
  onArrival(): void;
  onAnswer(): void;
  close(): Promise<void>;
}

/** A backend on a socket that knows nothing but messages, and honours their keys. */
export async function startMailBackend(): Promise<MailBackend> {
  const kept = new Map<string, string>();
  const counts = { repeated: 0, different: 0 };
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    if (req.method !== 'POST' || req.url !== '/api/email/send') return void res.writeHead(404).end();
    backend.onArrival();
    const key = String(req.headers['idempotency-key']);
    const before = kept.get(key);
    if (before === undefined) kept.set(key, body);
    else counts.repeated += 1;
    if (before !== undefined && before !== body) counts.different += 1;
    backend.onAnswer();
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const backend: MailBackend = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kept,
    get repeated() {
      return counts.repeated;
    },
    get different() {
      return counts.different;
    },
    onArrival() {},
    onAnswer() {},
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return backend;
}
