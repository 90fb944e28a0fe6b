import { randomUUID } from 'node:crypto';
import type { SendCommand } from './purge-store.ts';

/** A right that one process of the site has at a time. */
export interface Lease {
  begin(): void;
  /** Whether this process has the right now. */
  readonly isHeld: boolean;
  /** Why the last attempt to get or to renew it has failed; null when the store has answered. */
  readonly lastError: unknown;
  /** Gives the right to others. */
  stop(): Promise<void>;
}

export interface LeaseOptions {
  send: SendCommand;
  key: string;
  /** Called when this process gets the right. */
  onHeld: () => void;
  /** A monotonic clock, in ms. */
  now?: () => number;
}

/**
 * The right ends this long after its last renewal, in ms. It is short, because a replica that is cut off from the store keeps the right for so
 * long, and nobody sweeps for the others meanwhile.
 */
const LEASE_MS = 9_000;
const RENEW_EVERY_MS = 2_500;
/** The pause after a command without an answer, in ms: the connection may not be there yet. */
const RETRY_MS = 250;
const LIMIT_MS = 2_000;

/** Renews the right of its holder. Writes, so that the holder learns of a store that takes nothing. */
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end`;

/** @returns a lease that nobody asks for yet. */
export function createLease({ send, key, onHeld, now = () => performance.now() }: LeaseOptions): Lease {
  const token = randomUUID();
  let heldUntil = Number.NEGATIVE_INFINITY;
  let lastError: unknown = null;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const isHeld = () => now() < heldUntil;

  /** @returns whether the store has given the right. A store that takes nothing refuses each of these commands. */
  async function ask(): Promise<boolean> {
    if (isHeld() && (await send('EVAL', [RENEW, 1, key, token, LEASE_MS], LIMIT_MS)) === 1) return true;
    return (await send('SET', [key, token, 'NX', 'PX', LEASE_MS], LIMIT_MS)) === 'OK';
  }

  async function keep(): Promise<void> {
    // The store counts from a later moment.
    const from = now();
    const wasHeld = isHeld();
    try {
      heldUntil = (await ask()) ? from + LEASE_MS : Number.NEGATIVE_INFINITY;
      lastError = null;
    } catch (error) {
      lastError = error;
    }
    if (isStopped) return;
    if (!wasHeld && isHeld()) onHeld();
    timer = setTimeout(keep, lastError === null ? RENEW_EVERY_MS : RETRY_MS);
    timer.unref();
  }

  return {
    begin: () => void keep(),
    get isHeld() {
      return isHeld();
    },
    get lastError() {
      return lastError;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      if (!isHeld()) return;
      heldUntil = Number.NEGATIVE_INFINITY;
      // Without it the right ends by itself.
      await send('EVAL', [RELEASE, 1, key, token], LIMIT_MS).catch(() => {});
    },
  };
}
