import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MailBackend {
  readonly url: string;
  /**
   * Stored messages by idempotency key (IETF draft). A message with a known key is not stored again.
   */
  readonly messages: ReadonlyMap<string, string>;
  /** Number of messages with a known key, and how many of them had a different text. */
  readonly repeated: number;
  readonly different: number;
  /** Called for each message twice: before it is stored, and before the response. */
  onArrival(): void;
  /** Whether messages are answered with 503 and are not stored. */
  refuses: boolean;
  onAnswer(): void;
  close(): Promise<void>;
}

/** Starts a backend that only receives messages and honours their idempotency keys. */
export async function startMailBackend(): Promise<MailBackend> {
  const messages = new Map<string, string>();
  const counts = { repeated: 0, different: 0 };
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    if (req.method !== 'POST' || req.url !== '/api/email/send') return void res.writeHead(404).end();
    backend.onArrival();
    if (backend.refuses) return void res.writeHead(503).end();
    const key = String(req.headers['idempotency-key']);
    const before = messages.get(key);
    if (before === undefined) messages.set(key, body);
    else counts.repeated += 1;
    if (before !== undefined && before !== body) counts.different += 1;
    backend.onAnswer();
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const backend: MailBackend = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    get repeated() {
      return counts.repeated;
    },
    get different() {
      return counts.different;
    },
    refuses: false,
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
