import { test } from 'vitest';
import { engineFor } from './engines.ts';

/** A test that is skipped without a Redis. */
export const redisTest = test.extend('redis', { auto: true }, async ({ skip }) =>
  engineFor('redis-server', { skip }),
);
