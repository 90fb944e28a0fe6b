import { expect, it } from 'vitest';
import type { LogPosition } from '../../server/cache/tags/log-position.ts';
import { decodeEvents, type SharedEvent } from '../../server/events/shared-event.ts';
import { PurgeWriter } from '../../server/replicas/purge-writer.ts';

const invalidation = (tag: string): SharedEvent => ({
  kind: 'operation',
  operation: { kind: 'invalidate', tags: [tag] },
});
const removal = (tag: string): SharedEvent => ({
  kind: 'operation',
  operation: { kind: 'remove', tags: [tag] },
});

/** A writer for a store whose replies the test sends. */
function startWriter() {
  const sent: { events: readonly SharedEvent[] | null; removed: readonly string[] }[] = [];
  const answers: ((position: LogPosition | null) => void)[] = [];
  const appended: [tags: readonly SharedEvent[], position: LogPosition][] = [];
  const store: ConstructorParameters<typeof PurgeWriter>[0] = {
    append(_, events, removed) {
      sent.push({ events: decodeEvents(events), removed });
      return new Promise((resolve, reject) => {
        answers.push(position => (position === null ? reject(new Error('lost')) : resolve(position)));
      });
    },
  };
  const writer = new PurgeWriter(store, (events, position) => void appended.push([events, position]));
  const until = (count: number) => expect.poll(() => sent.length).toBe(count);
  return { writer, sent, answers, appended, until };
}

it('operations of one tick are sent as one log entry, which is resent unchanged until the store accepts it', async () => {
  const { writer, sent, answers, appended, until } = startWriter();
  writer.add(invalidation('settings'));
  writer.add(removal('articles:1'));
  await until(1);
  writer.add(invalidation('landing'));
  answers[0]?.(null);
  await until(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]?.removed).toEqual(['articles:1']);
  answers[1]?.('5-0');
  await until(3);
  expect(appended).toEqual([[[invalidation('settings'), removal('articles:1')], '5-0']]);
  expect(sent[2]?.events).toEqual([invalidation('landing')]);
  writer.stop();
});

it('appended() resolves when the shared log has all earlier operations, and does not wait for later ones', async () => {
  const { writer, answers, until } = startWriter();
  expect([writer.isIdle, await writer.appended(0)]).toEqual([true, true]);
  writer.add(invalidation('settings'));
  await until(1);
  const first = writer.appended(60_000);
  writer.add(invalidation('landing'));
  expect(await writer.appended(0)).toBe(false);
  answers[0]?.('5-0');
  expect(await first).toBe(true);
  await until(2);
  expect(writer.isIdle).toBe(false);
  answers[1]?.('6-0');
  await expect.poll(() => writer.isIdle).toBe(true);
  writer.stop();
});

it('more than 5,000 waiting events are replaced by one `expire-all` and the removals', async () => {
  const { writer, sent, answers, until } = startWriter();
  writer.add(invalidation('first'));
  await until(1);
  for (let number = 0; number < 5_000; number += 1) writer.add(invalidation(`articles:${number}`));
  writer.add(removal('articles:1'));
  answers[0]?.('5-0');
  await until(2);
  expect(sent[1]?.events).toEqual([
    { kind: 'operation', operation: { kind: 'expire-all' } },
    removal('articles:1'),
  ]);
  writer.stop();
});
