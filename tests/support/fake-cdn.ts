import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { close, listen } from './listen.ts';

/** A call accepted by a fake vendor API. */
export interface AcceptedPurge {
  words: readonly string[];
  isSoft: boolean;
}

export interface FakeCdn {
  url: string;
  /** Accepted purges in order. */
  readonly purges: AcceptedPurge[];
  /** Number of calls refused or not answered. */
  readonly failed: number;
  /** Answers calls with a status in place of purging, until `recover`. */
  fail(status: number): void;
  recover(): void;
  close(): Promise<void>;
}

const FASTLY = '/service/a-service/purge';
const CLOUDFLARE = '/client/v4/zones/a-zone/purge_cache';
export const CDN_TOKEN = 'a-token-of-the-vendor';

/**
 * Fake APIs of two vendors, which refuse what the vendors refuse. Fastly: `POST /service/{id}/purge`
 * (`Fastly-Key`, 256 keys, `Fastly-Soft-Purge`). Cloudflare: `POST /client/v4/zones/{id}/purge_cache` (bearer
 * token, 30 tags).
 */
export async function startFakeCdn(): Promise<FakeCdn> {
  const purges: AcceptedPurge[] = [];
  let status = 200;
  let failed = 0;
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    const refused = status === 200 ? answer(req, body, res) : status;
    if (refused === null) return;
    failed += 1;
    res.writeHead(refused, { 'Content-Type': 'application/json' }).end('{"msg":"refused"}');
  });

  /** @returns the status of a refusal, or null for an answered call. */
  function answer(req: IncomingMessage, body: string, res: ServerResponse): number | null {
    if (req.method !== 'POST' || req.headers['content-type'] !== 'application/json') return 400;
    const sent = JSON.parse(body) as { surrogate_keys?: string[]; tags?: string[] };
    const isFastly = req.url === FASTLY;
    if (!isFastly && req.url !== CLOUDFLARE) return 404;
    const key = isFastly ? req.headers['fastly-key'] : req.headers.authorization?.replace(/^Bearer /, '');
    if (key !== CDN_TOKEN) return 401;
    const words = (isFastly ? sent.surrogate_keys : sent.tags) ?? [];
    if (words.length === 0 || words.length > (isFastly ? 256 : 30)) return 400;
    purges.push({ words, isSoft: req.headers['fastly-soft-purge'] === '1' });
    const accepted = isFastly
      ? Object.fromEntries(words.map(word => [word, `108-1391560174-${word.length}`]))
      : { success: true, errors: [], messages: [], result: { id: 'a-zone' } };
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(accepted));
    return null;
  }

  return {
    url: await listen(server),
    purges,
    get failed() {
      return failed;
    },
    fail(other) {
      status = other;
    },
    recover() {
      status = 200;
    },
    close: () => close(server),
  };
}
