import { expect, it } from 'vitest';
import { keepTickShape } from '../../server/ops/process/memory.ts';

it('the start keeps an object of process.nextTick', () => {
  expect(keepTickShape()).toBe(true);
});
