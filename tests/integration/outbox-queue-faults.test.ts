import { expect } from 'vitest';
import { queueFaults } from '../faults/scenarios/queue.ts';
import { FULL, SHORT } from '../faults/sizes.ts';
import { inFull } from '../support/in-full.ts';
import { startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';

// `tests/faults/queue.test.ts` runs the same case on PostgreSQL.
it('every message is delivered once, although replicas lose their disks and the queue is wiped', async ({
  redis: _,
}) => {
  const redis = await startRedis();
  try {
    const sizes = inFull ? FULL.queue : SHORT.queue;
    const outcome = await queueFaults(sizes, {
      url: redis.url,
      wipe: () => redis.command('FLUSHALL'),
    });
    if (inFull) process.stdout.write(`${JSON.stringify(outcome)}\n`);
    const { replicas, messages, waiting, posted } = sizes;
    const well = { lost: 0, repeated: 0, wrong: 0 };
    expect(outcome).toEqual({
      disksLost: { acknowledged: replicas * messages, ...well },
      // An attempt in flight when the queue was wiped may be repeated, with the same idempotency key.
      queueWiped: { acknowledged: 2 * waiting, ...well, repeated: expect.any(Number) },
      postedTwice: { acknowledged: posted, ...well },
      left: 0,
    });
  } finally {
    await redis.dispose();
  }
});
