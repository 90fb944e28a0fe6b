import { describe, expect, it } from 'vitest';
import { keyOfContent } from '../../server/forms/message-key.ts';

const MESSAGE = { form: 'subscribe', email: 'ada@example.com' };
const MINUTE = 60_000;
/** Start of a period of ten minutes. */
const START = Date.UTC(2026, 0, 1);
const key = (now: number, message: Record<string, string> = MESSAGE, address = '192.0.2.1') =>
  keyOfContent(message, address, now).key;

describe('the idempotency key made from the contents of a message', () => {
  it('equal messages from one address have the same idempotency key within a period of ten minutes', () => {
    expect(key(START)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(key(START + 9.9 * MINUTE)).toBe(key(START));
  });

  it('another message, another address or another period gives another idempotency key', () => {
    const others = [
      key(START + 10 * MINUTE),
      key(START, { ...MESSAGE, email: 'eve@example.com' }),
      key(START, MESSAGE, '192.0.2.2'),
    ];
    expect(new Set([key(START), ...others]).size).toBe(4);
  });

  it('an idempotency key made early in a period comes with the key of the previous period', () => {
    const next = START + 10 * MINUTE;
    expect(keyOfContent(MESSAGE, '192.0.2.1', next + 1).earlierKey).toBe(key(next - 1));
    expect(keyOfContent(MESSAGE, '192.0.2.1', next + 3 * MINUTE).earlierKey).toBeUndefined();
  });
});
