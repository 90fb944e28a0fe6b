import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { type FakeBackend, recorded, sendJson } from './fake-backend.ts';

const PATHS = [
  ...['articles', 'authors', 'business-solutions', 'categories', 'commerces', 'landing'],
  ...['main-page', 'pages', 'redirects', 'settings', 'socials'],
].map(name => `/api/${name}`);

/** Answers of the backend to a path, if they are not the recorded ones. */
export type Answers = Readonly<Record<string, (req: IncomingMessage, res: ServerResponse) => void>>;

/** Serves answers, and holds all of them back while `roundTrip` waits for the calls. */
export function holdCalls(
  backend: FakeBackend,
  answers: Answers = {},
): {
  /**
   * Waits until as many calls are in flight as are expected, and answers them then. A call that goes out only
   * after the answer to another one is not among them, so the wait fails.
   *
   * @param visit begins what makes the calls.
   * @returns the result of the visit, and the addresses of all calls during it, sorted.
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
