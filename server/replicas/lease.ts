import { randomUUID } from 'node:crypto';
import { Claim } from '../shared-store/claim.ts';
import type { SendCommand } from './purge-store.ts';

/** How long a replica keeps the lease without a connection to the store, in ms. */
const LEASE_MS = 9_000;
const RENEW_EVERY_MS = 2_500;
/** The pause after an unanswered command, in ms: the store may not be connected yet. */
const RETRY_MS = 250;
const LIMIT_MS = 2_000;

/** A lease in the shared store. One process of the site has it at a time. */
export class Lease {
  readonly #onHeld: () => void;
  readonly #claim: Claim;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #lastError: unknown = null;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: SendCommand, key: string, onHeld: () => void) {
    this.#onHeld = onHeld;
    this.#claim = new Claim((name, args) => send(name, args, LIMIT_MS), key, randomUUID());
  }

  begin(): void {
    void this.#keep();
  }

  get isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  get lastError(): unknown {
    return this.#lastError;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    if (!this.isHeld) return;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    await this.#claim.release();
  }

  async #keep(): Promise<void> {
    // Count from before the command, so that the lease ends here earlier than in the store.
    const from = performance.now();
    const wasHeld = this.isHeld;
    try {
      const isOurs = (wasHeld && (await this.#claim.renew(LEASE_MS))) || (await this.#claim.get(LEASE_MS));
      this.#heldUntil = isOurs ? from + LEASE_MS : Number.NEGATIVE_INFINITY;
      this.#lastError = null;
    } catch (error) {
      this.#lastError = error;
    }
    if (this.#isStopped) return;
    if (!wasHeld && this.isHeld) this.#onHeld();
    const pauseMs = this.#lastError === null ? RENEW_EVERY_MS : RETRY_MS;
    this.#timer = setTimeout(() => void this.#keep(), pauseMs).unref();
  }
}
