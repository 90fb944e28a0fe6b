import type { IncomingMessage, ServerResponse } from 'node:http';
import { headLines, writeReadyHead } from '../http/ready-head.ts';
import type { Site } from '../site.ts';

/** Addresses of the site that say in one word how the process is. */
export const PROBE_PATHS = ['/livez', '/healthz', '/readyz'] as const;
type ProbePath = (typeof PROBE_PATHS)[number];

/**
 * `/livez`, `/healthz` and `/readyz` on the site's port, for caches and balancers in front that cannot reach the ops port. They are answered whatever the
 * host, because a balancer asks by address. The ops port says more (`ops-app.ts`).
 *
 * @returns a function that answers a probe, and returns false for any other request. Probes have no line in the log: there would be one each second.
 */
export function probes({ readiness, securityHeaders }: Pick<Site, 'readiness' | 'securityHeaders'>) {
  const head = headLines([
    ...securityHeaders,
    ['Cache-Control', 'no-store'],
    ['Content-Type', 'text/plain; charset=utf-8'],
  ]);
  const isProbe: ReadonlySet<string> = new Set(PROBE_PATHS);

  return (req: IncomingMessage, res: ServerResponse, url: string): boolean => {
    if (!isProbe.has(url) || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    const asksReady = (url as ProbePath) === '/readyz';
    const word = asksReady ? readiness.state : 'ok';
    writeReadyHead(
      req,
      res,
      asksReady && !readiness.isReady ? 503 : 200,
      `${head}Content-Length: ${word.length}\r\n`,
    );
    res.end(req.method === 'HEAD' ? undefined : word);
    return true;
  };
}
