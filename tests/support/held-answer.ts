import type { ServerResponse } from 'node:http';
import { type Behaviour, sendJson } from './fake-backend.ts';

export interface HeldAnswer {
  /** For `FakeBackend.on`. */
  behaviour: Behaviour;
  /** The number of calls that wait for their answer. */
  waiting(): number;
  /** Answers the waiting calls now and later calls at once. */
  release(): void;
}

/** @returns a behaviour of the backend that holds its answer back until the test releases it. */
export function heldAnswer(body: object): HeldAnswer {
  const responses = new Set<ServerResponse>();
  let released = false;
  return {
    behaviour: (_req, res) => {
      if (released) return sendJson(res, 200, body);
      responses.add(res);
      res.once('close', () => responses.delete(res));
    },
    waiting: () => responses.size,
    release() {
      released = true;
      for (const res of responses) sendJson(res, 200, body);
    },
  };
}
