import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Console methods whose use fails the test, because nobody reads the output of a passing run. */
const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;
const output: string[] = [];

beforeEach(() => {
  output.length = 0;
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      output.push(`console.${method}: ${values.map(String).join(' ')}`);
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(output, 'unexpected console output').toEqual([]);
});
