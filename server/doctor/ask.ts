import type { IncomingHttpHeaders } from 'node:http';
import PQueue from 'p-queue';
import type { BackendClient } from '../backend/backend-client.ts';
import { PAGE_SIZE } from '../content/lists/all-pages.ts';
import { BackendError } from '../errors.ts';
import { callOf, joined, pageOf, paginationOf } from '../wire/content-calls.ts';
import type { ServedType } from '../wire/described-types.ts';

const MAX_PAGES = 5;

type Outcome =
  | { readonly body: unknown; readonly error: null }
  | { readonly body: null; readonly error: BackendError };

export type Ask = ReturnType<typeof createAsk>;

export interface AskOptions {
  readonly client: BackendClient;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Resolves when the next call may begin. */
  readonly pace?: () => Promise<void>;
}

export function createAsk({ client, concurrency, signal, pace = async () => {} }: AskOptions) {
  const queue = new PQueue({ concurrency });
  let calls = 0;

  const run = <T>(call: () => Promise<T>) =>
    queue.add(async () => {
      await pace();
      signal.throwIfAborted();
      calls += 1;
      return call();
    });

  /** Fetches JSON with the credentials of the site, or with those of another client. */
  async function json(call: string, asker = client): Promise<Outcome> {
    try {
      return { body: (await run(() => asker.getJson(call, signal))).body, error: null };
    } catch (error) {
      if (error instanceof BackendError) return { body: null, error };
      throw error;
    }
  }

  return {
    get calls() {
      return calls;
    },
    json,
    /** Lists entries of a few pages, up to the first failing call. `first` is the first page, if known. */
    async list(type: ServedType, query: string, first?: unknown) {
      const bodies: unknown[] = first === undefined ? [] : [first];
      for (;;) {
        const last = bodies.at(-1);
        if (last !== undefined && bodies.length >= paginationOf(last).pageCount)
          return { bodies, isWhole: true };
        if (bodies.length >= MAX_PAGES) return { bodies, isWhole: false };
        const page = pageOf(bodies.length + 1, PAGE_SIZE);
        const { body, error } = await json(callOf(type, joined(query, page)));
        if (error) return { bodies, isWhole: false };
        bodies.push(body);
      }
    },
    /** Fetches the headers of a file. Without a response the status is null, and `reason` has the cause. */
    async head(
      path: string,
    ): Promise<{ status: number | null; headers: IncomingHttpHeaders; reason: string }> {
      try {
        const { status, headers, body } = await run(() => client.getFile(path, signal));
        body.destroy();
        return { status, headers, reason: String(status) };
      } catch (error) {
        if (error instanceof BackendError) return { status: null, headers: {}, reason: error.reason };
        throw error;
      }
    },
    run: <T>(call: (client: BackendClient, signal: AbortSignal) => Promise<T>) =>
      run(() => call(client, signal)),
  };
}
