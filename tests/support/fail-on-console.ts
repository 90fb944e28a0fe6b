import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Console output fails the test: in a passing run it would be a warning that is never read. */
const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;
const said: string[] = [];

beforeEach(() => {
  said.length = 0;
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      said.push(`console.${method}: ${values.map(String).join(' ')}`);
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(said, 'unexpected console output').toEqual([]);
});
