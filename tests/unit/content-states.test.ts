import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentRequest } from '../../server/content/requests/content-request.ts';
import { ContentStates } from '../../server/content/store/content-states.ts';
import { createDecodings } from '../../server/decode/decoding.ts';
import { BackendError } from '../../server/errors.ts';
import { createLogger } from '../../server/ops/log.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { startDecoding } from '../support/decoding.ts';

const refusal = (status: number) =>
  new BackendError('status', 'GET /api/pages', `answered ${status}`, { status });
const request = contentRequest<object>({
  ...{ key: 'pages/about', type: contentTypes.page, fetch: async () => [], decode: () => ({}) },
  begin: createDecodings(startDecoding().services),
  provenance: () => ({ tags: [], about: null, decides: [] }),
});

function startStates() {
  const clock = { ms: 1_000_000 };
  const lines: { code: string; state: string }[] = [];
  const log = createLogger('debug', { write: line => void lines.push(JSON.parse(line)) });
  const states = new ContentStates(log, {
    ...{ hasToken: false, isKnownDown: () => false, holdMs: 0 },
    now: () => clock.ms,
  });
  return {
    clock,
    states,
    fail: (status: number, isKnown = true) => states.note(request, { error: refusal(status), isKnown }),
    succeed: () => states.note(request, null),
    written: () => lines.splice(0).map(({ code }) => code.replace('content-type-', '')),
  };
}

describe('the log entries of a content type', () => {
  it('a content type writes one log entry for each state, until it is ok again', () => {
    const { fail, succeed, written } = startStates();
    for (const status of [500, 502, 403, 500, 401, 404, 403]) fail(status);
    expect(written()).toEqual(['down', 'refused', 'emptied']);
    succeed();
    succeed();
    expect(written()).toEqual(['ok']);
  });

  it('a content type that fails again within a minute writes no more log entries', () => {
    const { clock, fail, succeed, written } = startStates();
    for (let second = 0; second < 50; second += 1) {
      fail(500);
      succeed();
      clock.ms += 1_000;
    }
    expect(written()).toEqual(['down', 'ok']);
  });

  it('a content type that still fails after a minute writes a log entry', () => {
    const { clock, fail, succeed, written } = startStates();
    fail(500);
    succeed();
    fail(500);
    expect(written()).toEqual(['down', 'ok']);
    clock.ms += 60_000;
    fail(500);
    expect(written()).toEqual(['down']);
  });

  it('the number of log entries of a content type is bounded, whatever the responses', () => {
    const step = fc.oneof(fc.constant(0), fc.constantFrom(401, 403, 404, 429, 500, 503));
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 300 }), steps => {
        const { fail, succeed, written } = startStates();
        for (const [status, isKnown] of steps) {
          if (status === 0) succeed();
          else fail(status, isKnown);
        }
        // Each of the four states begins and ends at most once, because less than a minute passes.
        expect(written().length).toBeLessThanOrEqual(8);
      }),
    );
  });
});

describe('the state of a content type', () => {
  it('a content type refused by the backend stays refused when an unknown entry is refused, too', () => {
    const { states, fail } = startStates();
    fail(403, true);
    fail(403, false);
    expect([states.backend, states.reports().pages?.state]).toEqual(['refused', 'refused']);
  });

  it('the backend does not count as up while it has refused every request', () => {
    const { states, fail, succeed } = startStates();
    expect(states.backend).toBe('up');
    fail(403, false);
    expect([states.backend, states.failed()]).toEqual(['refused', []]);
    succeed();
    expect(states.backend).toBe('up');
  });

  it('failed() returns the request of a failed content type until it succeeds', () => {
    const { states, fail, succeed } = startStates();
    fail(500);
    expect(states.failed()).toEqual([request]);
    succeed();
    expect(states.failed()).toEqual([]);
  });
});
