import type { Argument } from './store-command.ts';

type Send = (name: 'SET' | 'EVAL', args: readonly Argument[]) => Promise<unknown>;

// A claim that has ended may belong to another process now, so both compare the token.
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/** A key of the shared store that one process has at a time, and that ends by itself. */
export class Claim {
  readonly #send: Send;
  readonly #key: string;
  readonly #token: string;

  /** @param token names this process, and nobody else. */
  constructor(send: Send, key: string, token: string) {
    this.#send = send;
    this.#key = key;
    this.#token = token;
  }

  /** Gets the key for a time in ms, unless it is taken. @throws the error of the store, as `renew` does. */
  async get(lifeMs: number): Promise<boolean> {
    return (await this.#send('SET', [this.#key, this.#token, 'NX', 'PX', lifeMs])) === 'OK';
  }

  /** Writes, so that the process learns of a store that accepts nothing. */
  async renew(lifeMs: number): Promise<boolean> {
    return (await this.#send('EVAL', [RENEW, 1, this.#key, this.#token, lifeMs])) === 1;
  }

  /** Does not reject: without an answer the claim ends by itself. */
  async release(): Promise<void> {
    await this.#send('EVAL', [RELEASE, 1, this.#key, this.#token]).catch(() => {});
  }
}
