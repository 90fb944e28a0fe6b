import { expect, it } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { checkSharedStore } from '../../server/doctor/check-site.ts';

const SHARED_URL = 'redis://localhost';

it('a shared store without SHARED_SECRET is a finding', () => {
  const found = (env: Record<string, string>) => checkSharedStore(readConfig(env)).map(({ code }) => code);
  expect(found({ SHARED_URL })).toEqual(['shared-store-unsealed']);
  expect(found({ SHARED_URL, SHARED_SECRET: 'x'.repeat(32) })).toEqual([]);
  expect(found({})).toEqual([]);
});
