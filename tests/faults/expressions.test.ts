import { expect, it } from 'vitest';
import { checkedExpressions, verdictOf } from '../support/expressions.ts';
import { KNOWN_EXPRESSIONS } from '../support/known-expressions.ts';

it('each listed regular expression passes recheck', async () => {
  for (const expression of checkedExpressions())
    expect([expression, await verdictOf(expression)]).toEqual([expression, 'safe']);
});

it('no expression listed as slow passes recheck', async () => {
  for (const { expression, computed } of KNOWN_EXPRESSIONS.filter(({ computed }) => !computed))
    expect([expression, computed, await verdictOf(expression)]).not.toContain('safe');
});
