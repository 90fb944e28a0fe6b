import { describe, expect, it } from 'vitest';
import { COMPUTED_EXPRESSIONS } from '../support/computed-expressions.ts';
import { checkedExpressions, findExpressions, verdictOf } from '../support/expressions.ts';

describe('the regular expressions of the site', () => {
  const { expressions, computedIn } = findExpressions();

  it('each regular expression has passed recheck', () => {
    // Check new ones by `node tests/support/check-expressions.ts`. `npm run test:faults` checks all again.
    expect([...checkedExpressions()].sort()).toEqual([...expressions.keys()].sort());
    expect(expressions.size).toBeGreaterThan(100);
  });

  it('computed regular expressions are listed, and every listed one is in use', () => {
    expect([...computedIn].sort()).toEqual(Object.keys(COMPUTED_EXPRESSIONS).sort());
  });
});

describe('recheck', () => {
  it('recheck finds an expression that takes quadratic time', async () => {
    expect(await verdictOf('/<svg\\b[^>]*>/i')).toBe('vulnerable');
    expect(await verdictOf('/<svg[\\s/>]/i')).toBe('safe');
  });
});
