import type { IncomingMessage } from 'node:http';
import type { ProcessLogger } from './log.ts';

const SECOND_MS = 1_000;

/** @returns whether the log gets the line of a request. */
export type RequestLines = (req: IncomingMessage, status: number) => boolean;

/**
 * Limits the lines of requests: a flood from one address would fill the disk of the log. What the log leaves out is counted, and said once a second.
 * The metrics count all requests.
 *
 * @param perSecond lines of one address in a second; 0: all. Answers of 500 and above always have their lines.
 * @param addressOf the client's address; null where it cannot be told, as many clients would share one.
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
        'requests of busy addresses have no lines',
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
