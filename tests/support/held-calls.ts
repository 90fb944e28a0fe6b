import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { type FakeBackend, recorded, sendJson } from './fake-backend.ts';

const PATHS = [
  ...['articles', 'authors', 'business-solutions', 'categories', 'commerces', 'landing'],
  ...['main-page', 'pages', 'redirects', 'settings', 'socials'],
].map(name => `/api/${name}`);

/** Answers to a path that replace the recorded ones. */
export type Answers = Readonly<Record<string, (req: IncomingMessage, res: ServerResponse) => void>>;

/** Serves answers, and holds them all while `roundTrip` waits for the calls. */
export function holdCalls(
  backend: FakeBackend,
  answers: Answers = {},
): {
  /**
   * Waits until the expected number of calls is in flight, and then answers them. A call that begins only
   * after the answer to another makes the wait fail.
   * @param visit begins the work that makes the calls
   * @returns the result of the visit, and the sorted addresses of all calls during it.
   */
  roundTrip<T>(calls: number, visit: () => Promise<T>): Promise<{ result: T; calls: string[] }>;
} {
  let held: (() => void)[] | null = null;
  for (const path of PATHS)
    backend.on(path, (req, res) => {
      const answer = () => {
        const own = answers[path] ?? recorded('v5-as-v4', new URL(req.url ?? '/', 'http://backend'));
        if (typeof own === 'function') own(req, res);
        else sendJson(res, 200, own);
      };
      if (held) held.push(answer);
      else answer();
    });
  return {
    async roundTrip(calls, visit) {
      backend.calls.length = 0;
      const waiting: (() => void)[] = [];
      held = waiting;
      const visited = visit();
      visited.catch(() => {});
      try {
        await eventually(
          () =>
            expect(waiting.length, backend.calls.map(call => call.url).join('\n')).toBeGreaterThanOrEqual(
              calls,
            ),
          3_000,
        );
      } finally {
        held = null;
        for (const answer of waiting) answer();
      }
      const result = await visited;
      return { result, calls: backend.calls.map(({ url }) => url).sort() };
    },
  };
}
