import { expect, it } from 'vitest';
import { keepTickShape } from '../../server/ops/process/memory.ts';

it('keepTickShape() finds a TickObject of process.nextTick to keep alive', () => {
  expect(keepTickShape()).toBe(true);
});
