import { expect, it } from 'vitest';
import { startPostgres } from '../support/postgres.ts';
import { queueFaults } from './scenarios/queue.ts';
import { FULL } from './sizes.ts';

// `integration/outbox-queue-faults` tests the same on Redis.
it('13. PostgreSQL as the queue: no message is lost when a replica loses its disk, or PostgreSQL its data', async context => {
  const postgres = await startPostgres(context);
  try {
    const sizes = { ...FULL.queue, replicas: 20, messages: 10 };
    const outcome = await queueFaults(sizes, {
      url: postgres.url,
      wipe: () => postgres.query('TRUNCATE bullmq.job CASCADE'),
    });
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
    const well = { lost: 0, repeated: 0, wrong: 0 };
    expect(outcome).toEqual({
      disksLost: { acknowledged: 200, ...well },
      // An attempt in flight when the queue was wiped may be repeated with the same idempotency key.
      queueWiped: { acknowledged: 2 * sizes.waiting, ...well, repeated: expect.any(Number) },
      postedTwice: { acknowledged: sizes.posted, ...well },
      left: 0,
    });
  } finally {
    await postgres.dispose();
  }
});
