import type { IncomingMessage } from 'node:http';
import type { ProcessLogger } from '../log.ts';

const SECOND_MS = 1_000;

export type RequestLines = (req: IncomingMessage, status: number) => boolean;

/**
 * Limits log entries of requests, because a flood from one address would fill the disk.
 * @param perSecond the most entries of an address; 0: unlimited. Statuses from 500 on are always logged.
 * @param addressOf finds the client's address. Requests without a known address are always logged.
 */
export function createRequestLines(
  log: ProcessLogger,
  perSecond: number,
  addressOf: (req: IncomingMessage) => string | null,
): RequestLines {
  if (perSecond === 0) return () => true;
  const requests = new Map<string, number>();
  let leftOut = 0;
  let isCounting = false;

  function endSecond(): void {
    if (leftOut > 0)
      log.info(
        { code: 'request-lines-left-out', requests: leftOut },
        'access log: requests from busy IP addresses were left out',
      );
    requests.clear();
    leftOut = 0;
    isCounting = false;
  }

  return (req, status) => {
    const address = status < 500 ? addressOf(req) : null;
    if (address === null) return true;
    if (!isCounting) setTimeout(endSecond, SECOND_MS).unref();
    isCounting = true;
    const count = (requests.get(address) ?? 0) + 1;
    requests.set(address, count);
    if (count <= perSecond) return true;
    leftOut += 1;
    return false;
  };
}
