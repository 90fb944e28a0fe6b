import PQueue from 'p-queue';
import type { BackendClient } from '../backend/backend-client.ts';
import { BackendError } from '../errors.ts';

/** The outcome of a call: the parsed answer, or the failure. */
export type Outcome =
  | { readonly body: unknown; readonly error: null }
  | { readonly body: null; readonly error: BackendError };

/** Asks the backend, and counts the calls. */
export interface Ask {
  readonly calls: number;
  /** @param client the client with the site's credentials, unless another one is given. */
  json(call: string, client?: BackendClient): Promise<Outcome>;
  /** Runs a call of another kind in the same queue. */
  run<T>(call: (client: BackendClient, signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface AskOptions {
  readonly client: BackendClient;
  /** Calls at a time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Resolves when the next call may be made. */
  readonly pace?: () => Promise<void>;
}

export function createAsk({ client, concurrency, signal, pace = async () => {} }: AskOptions): Ask {
  const queue = new PQueue({ concurrency });
  let calls = 0;
  const run = <T>(call: () => Promise<T>) =>
    queue.add(async () => {
      await pace();
      signal.throwIfAborted();
      calls += 1;
      return call();
    });
  return {
    get calls() {
      return calls;
    },
    async json(call, asker = client) {
      try {
        return { body: (await run(() => asker.getJson(call, signal))).body, error: null };
      } catch (error) {
        if (error instanceof BackendError) return { body: null, error };
        throw error;
      }
    },
    run: call => run(() => call(client, signal)),
  };
}
