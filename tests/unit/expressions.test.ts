import { describe, expect, it } from 'vitest';
import { checkedExpressions, findExpressions, verdictOf } from '../support/expressions.ts';
import { KNOWN_EXPRESSIONS } from '../support/known-expressions.ts';

const { literals, computed } = findExpressions();
const known = KNOWN_EXPRESSIONS.map(({ expression }) => expression);

/** Compiles a source such as `/a+$/i`. */
function compiled(expression: string): RegExp {
  const end = expression.lastIndexOf('/');
  return new RegExp(expression.slice(1, end), expression.slice(end + 1));
}

describe('the regular expressions of the site', () => {
  it('each regular expression has passed recheck, or is listed with a bound of its input', () => {
    // Check new ones by `node tests/support/check-expressions.ts`. `npm run test:faults` checks all again.
    const checked = checkedExpressions();
    const others = [...literals.keys()].filter(expression => !checked.has(expression));
    expect(others.filter(expression => !known.includes(expression))).toEqual([]);
    expect(
      [...checked].filter(expression => !literals.has(expression) || known.includes(expression)),
    ).toEqual([]);
    expect(literals.size).toBeGreaterThan(100);
  });

  it('computed regular expressions are listed, and every listed one is in use', () => {
    expect([...computed].sort()).toEqual(known.filter(name => !name.startsWith('/')).sort());
    expect(known.filter(name => name.startsWith('/') && !literals.has(name))).toEqual([]);
  });

  it.each(KNOWN_EXPRESSIONS)(
    'a listed regular expression is fast at the bound of its input: $expression',
    known => {
      const { expression, bound, worst, computed = compiled(expression) } = known;
      const input = worst(bound);
      expect(input.length).toBeGreaterThan(bound * 0.95);
      expect(input.length).toBeLessThanOrEqual(bound);
      // CPU time hardly depends on the load of the machine. The first of three runs also compiles the
      // expression, and any of them may collect garbage.
      const timesMs = [1, 2, 3].map(() => {
        const before = process.threadCpuUsage();
        input.replace(computed, '');
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1_000;
      });
      expect(Math.min(...timesMs)).toBeLessThan(50);
    },
  );
});

describe('recheck', () => {
  it('recheck finds an expression that takes quadratic time', async () => {
    expect(await verdictOf('/<svg\\b[^>]*>/i')).toBe('vulnerable');
    expect(await verdictOf('/<svg[\\s/>]/i')).toBe('safe');
  });
});
