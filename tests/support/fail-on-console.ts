import { afterEach, beforeEach, expect, vi } from 'vitest';

/** What the program says on the console in a test is a warning that nobody reads: it fails the test instead. */
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
