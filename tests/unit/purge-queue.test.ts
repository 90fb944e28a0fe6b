import { expect, it } from 'vitest';
import type { LogPosition } from '../../server/cache/log-position.ts';
import { createPurgeQueue } from '../../server/purges/purge-queue.ts';
import { decodeEvents, type SharedEvent } from '../../server/purges/shared-event.ts';

const invalidation = (tag: string): SharedEvent => ({
  kind: 'operation',
  operation: { kind: 'invalidate', tags: [tag] },
});
const removal = (tag: string): SharedEvent => ({
  kind: 'operation',
  operation: { kind: 'remove', tags: [tag] },
});

/** A queue over a store whose answers the test gives. */
function startQueue() {
  const sent: { number: number; events: readonly SharedEvent[] | null; removed: readonly string[] }[] = [];
  const answers: ((position: LogPosition | null) => void)[] = [];
  const appended: [tags: readonly SharedEvent[], position: LogPosition][] = [];
  const collapsed: number[] = [];
  const queue = createPurgeQueue({
    store: {
      append({ number, events }, removed) {
        sent.push({ number, events: decodeEvents(events), removed });
        return new Promise((resolve, reject) => {
          answers.push(position => (position === null ? reject(new Error('lost')) : resolve(position)));
        });
      },
    },
    onAppended: (events, _, position) => void appended.push([events, position]),
    onCollapsed: events => void collapsed.push(events.length),
  });
  const until = (count: number) => expect.poll(() => sent.length).toBe(count);
  return { queue, sent, answers, appended, collapsed, until };
}

it('the operations of one turn are one entry, which is sent again unchanged until the log has it', async () => {
  const { queue, sent, answers, appended, until } = startQueue();
  queue.add(invalidation('settings'));
  queue.add(removal('articles:1'));
  await until(1);
  queue.add(invalidation('landing'));
  answers[0]?.(null);
  await until(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]?.removed).toEqual(['articles:1']);
  answers[1]?.('5-0');
  await until(3);
  expect(appended).toEqual([[[invalidation('settings'), removal('articles:1')], '5-0']]);
  expect(sent[2]?.events).toEqual([invalidation('landing')]);
  queue.stop();
});

it('an entry whose acknowledgment was lost counts when it is read from the log', async () => {
  const { queue, answers, appended, until } = startQueue();
  queue.add(invalidation('settings'));
  await until(1);
  let isAppended = false;
  const waiting = queue.appended(60_000).then(() => {
    isAppended = true;
  });
  queue.seen(99, '4-0');
  await Promise.resolve();
  expect(isAppended).toBe(false);
  queue.seen(1, '5-0');
  await waiting;
  expect(appended).toEqual([[[invalidation('settings')], '5-0']]);
  answers[0]?.('6-0');
  await Promise.resolve();
  expect(appended).toHaveLength(1);
  queue.stop();
});

it('more than 5,000 events that wait become the expiry of everything, and their removals', async () => {
  const { queue, sent, answers, collapsed, until } = startQueue();
  queue.add(invalidation('first'));
  await until(1);
  for (let number = 0; number < 5_000; number += 1) queue.add(invalidation(`articles:${number}`));
  queue.add(removal('articles:1'));
  expect(collapsed).toEqual([5_001]);
  answers[0]?.('5-0');
  await until(2);
  expect(sent[1]?.events).toEqual([
    { kind: 'operation', operation: { kind: 'expire-all' } },
    removal('articles:1'),
  ]);
  queue.stop();
});
