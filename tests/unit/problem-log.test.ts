import { describe, expect, it } from 'vitest';
import { createProblemLog } from '../../server/content/decode/problem-log.ts';
import { createLogger } from '../../server/ops/log.ts';

/** More problems than are remembered as logged. */
const MANY = 6_000;

function startLog() {
  const ids: unknown[] = [];
  const log = createLogger('info', { write: line => void ids.push(JSON.parse(line).id) });
  return { problems: createProblemLog(log), logged: () => ids.splice(0) };
}
const leftOut = (id: string) =>
  ({ kind: 'row-left-out', type: 'articles', id, reason: 'an article needs a title' }) as const;

describe('a problem of the content', () => {
  it('is logged once', () => {
    const { problems, logged } = startLog();
    const redirect = { id: 'b', from: '/b', reason: 'the target is missing' };
    for (let round = 0; round < 3; round++) {
      problems.content(leftOut('a'));
      problems.redirects([redirect]);
    }
    expect(logged()).toEqual(['a', 'b']);
  });

  it('is logged again for another reason', () => {
    const { problems, logged } = startLog();
    problems.content(leftOut('a'));
    problems.content({ ...leftOut('a'), reason: 'an article needs a slug' });
    expect(logged()).toEqual(['a', 'a']);
  });

  it('stays logged once while it is reported again, however many other problems come', () => {
    const { problems, logged } = startLog();
    for (let index = 0; index < MANY; index++) {
      problems.content(leftOut('a'));
      problems.content(leftOut(`other-${index}`));
    }
    expect(logged().filter(id => id === 'a')).toHaveLength(1);
  });

  it('is forgotten, and logged again, after many others without a report of it', () => {
    const { problems, logged } = startLog();
    problems.content(leftOut('a'));
    for (let index = 0; index < MANY; index++) problems.content(leftOut(`other-${index}`));
    problems.content(leftOut('a'));
    expect(logged().filter(id => id === 'a')).toHaveLength(2);
  });
});
