import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Behaviour, sendJson } from './fake-backend.ts';

export interface HeldAnswer {
  /** Pass it to `FakeBackend.on`. */
  behaviour: Behaviour;
  /** Addresses of the calls so far. Besides visitors, the site itself may call. */
  readonly asked: readonly string[];
  /** @returns the number of calls that wait for their answer. */
  waiting(): number;
  /** Answers the waiting calls now and later calls at once. */
  release(): void;
}

/**
 * @param body the answer, or a function that makes it when the call arrives
 * @returns a behaviour of the backend that holds its answer until the test releases it.
 */
export function heldAnswer(body: object | ((req: IncomingMessage) => object)): HeldAnswer {
  const asked: string[] = [];
  const responses = new Map<ServerResponse, object>();
  let released = false;
  return {
    asked,
    behaviour: (req, res) => {
      asked.push(req.url ?? '');
      const answer = typeof body === 'function' ? (body as (req: IncomingMessage) => object)(req) : body;
      if (released) return sendJson(res, 200, answer);
      responses.set(res, answer);
      res.once('close', () => responses.delete(res));
    },
    waiting: () => responses.size,
    release() {
      released = true;
      for (const [res, answer] of responses) sendJson(res, 200, answer);
    },
  };
}
