import { expect, it } from 'vitest';
import { checkedExpressions, verdictOf } from '../support/expressions.ts';

it('each listed regular expression passes recheck', async () => {
  for (const expression of checkedExpressions())
    expect([expression, await verdictOf(expression)]).toEqual([expression, 'safe']);
});
