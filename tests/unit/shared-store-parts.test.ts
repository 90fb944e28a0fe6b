import { describe, expect, it } from 'vitest';
import { examineInfo, policyAdvice } from '../../server/shared-store/examine-store.ts';
import { FailurePause } from '../../server/shared-store/store-command.ts';

const infoOf = (fields: Record<string, string>) =>
  `# Server\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}:${value}`)
    .join('\r\n')}\r\n`;

describe('the check of the shared store', () => {
  it.each([
    [{ redis_version: '7.0.15' }, 'redis 7.0.15'],
    [{ redis_version: '7.2.4', valkey_version: '8.1.1', redis_mode: 'standalone' }, 'valkey 8.1.1'],
    [{ redis_version: '6.2.0' }, 'redis 6.2.0'],
  ])('a usable shared store is accepted: %j', (fields, server) => {
    expect(examineInfo(infoOf({ ...fields, maxmemory: '1000', maxmemory_policy: 'volatile-lru' }))).toEqual({
      kind: 'usable',
      facts: { server, policy: 'volatile-lru', maxBytes: 1_000 },
    });
  });

  it.each([
    [{ redis_version: '6.0.16' }, 'redis 6.0.16'],
    [{ redis_version: '5.0.14' }, 'redis 5.0.14'],
    [{ redis_version: '7.0.15', redis_mode: 'cluster' }, 'a node of a cluster'],
  ])('an unfit shared store is refused: %j', (fields, reason) => {
    expect(examineInfo(infoOf(fields))).toEqual({
      kind: 'unusable',
      reason: expect.stringContaining(reason),
    });
  });

  it.each([
    ['volatile-lru', 1_000, null],
    ['volatile-ttl', 0, null],
    ['allkeys-lru', 0, ['warn', 'evict the log of invalidations', 'set maxmemory-policy volatile-lru and']],
    ['allkeys-random', 1_000, ['warn', 'all replicas start anew', 'set maxmemory-policy volatile-lru']],
    ['noeviction', 1_000, ['warn', 'neither changes nor content', 'set maxmemory-policy volatile-lru']],
    ['noeviction', 0, ['info', 'neither changes nor content', 'volatile-lru and a maxmemory']],
    [null, 0, ['info', 'does not tell', 'volatile-lru']],
  ] as const)(
    'the eviction policy %s with a maxmemory of %s bytes gets fitting advice',
    (policy, maxBytes, advice) => {
      const [level, effect, remedy] = advice ?? [];
      expect(policyAdvice({ server: 'redis 7.0.15', policy, maxBytes })).toEqual(
        advice && {
          level,
          effect: expect.stringContaining(effect ?? ''),
          remedy: expect.stringContaining(remedy ?? ''),
        },
      );
    },
  );
});

describe('the pause after failures', () => {
  it('after five failures in a row, the store gets one command a second until one succeeds', () => {
    const clock = { ms: 0 };
    const pause = new FailurePause(() => clock.ms);
    const fail = (times: number) => {
      for (let time = 0; time < times; time += 1) pause.failed();
    };
    fail(4);
    pause.answered();
    fail(4);
    expect([pause.isOpen, pause.mayAsk()]).toEqual([false, true]);
    fail(1);
    expect([pause.isOpen, pause.mayAsk()]).toEqual([true, false]);
    clock.ms = 999;
    expect(pause.mayAsk()).toBe(false);
    clock.ms = 1_000;
    expect([pause.mayAsk(), pause.mayAsk()]).toEqual([true, false]);
    clock.ms = 2_000;
    expect(pause.mayAsk()).toBe(true);
    pause.answered();
    expect([pause.isOpen, pause.mayAsk(), pause.mayAsk()]).toEqual([false, true, true]);
  });
});
