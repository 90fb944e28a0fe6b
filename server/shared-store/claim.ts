import type { Argument } from './store-command.ts';

type Send = (name: 'SET' | 'EVAL', args: readonly Argument[]) => Promise<unknown>;

// Compare the token: the claim may have expired, and another process may have the key now.
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/** A claim on a key of the shared store. One process has it at a time, and it expires. */
export class Claim {
  readonly #send: Send;
  readonly #key: string;
  readonly #token: string;

  constructor(send: Send, key: string, token: string) {
    this.#send = send;
    this.#key = key;
    this.#token = token;
  }

  /** Claims a free key for a time in ms. @throws the store's error, as `renew` does. */
  async get(lifeMs: number): Promise<boolean> {
    return (await this.#send('SET', [this.#key, this.#token, 'NX', 'PX', lifeMs])) === 'OK';
  }

  /** Renews by a write, so that the process notices a store that accepts no writes. */
  async renew(lifeMs: number): Promise<boolean> {
    return (await this.#send('EVAL', [RENEW, 1, this.#key, this.#token, lifeMs])) === 1;
  }

  /** Releases the claim and never rejects. Without an answer the claim expires. */
  async release(): Promise<void> {
    await this.#send('EVAL', [RELEASE, 1, this.#key, this.#token]).catch(() => {});
  }
}
