import { expect, it } from 'vitest';
import { RUBBISH } from './faulty-backend.ts';
import { type DeadBackendOutcome, deadBackend } from './scenarios/dead-backend.ts';
import { FULL } from './sizes.ts';

const NOTHING_LOST = { failed: 0, changed: 0, refused: 0, lost: 0, old: 0 };

function show(outcome: DeadBackendOutcome): DeadBackendOutcome {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  return outcome;
}

// `tests/integration/faults-short.test.ts` has the short form.
it('13. ten minutes of a dead backend, with kill -9 in the middle: each response is a 200, and each message arrives once', async () => {
  expect(show(await deadBackend('refuse', FULL.deadBackend))).toMatchObject({ ...NOTHING_LOST, repeated: 0 });
});

it.each(['hang', ...RUBBISH] as const)(
  '14. the backend in mode %o, with kill -9 in the middle: every response is a 200, and nothing is lost',
  async fault => {
    expect(show(await deadBackend(fault, FULL.modes))).toMatchObject(NOTHING_LOST);
  },
);
