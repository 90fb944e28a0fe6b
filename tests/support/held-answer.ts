import type { ServerResponse } from 'node:http';
import { type Behaviour, sendJson } from './fake-backend.ts';

export interface HeldAnswer {
  /** For `FakeBackend.on`. */
  behaviour: Behaviour;
  /** The calls that have arrived and wait for their answer. */
  waiting(): number;
  /** Answers what waits and, from now on, what comes. */
  release(): void;
}

/** @returns an answer of the backend that is held back until the test lets it go. */
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
