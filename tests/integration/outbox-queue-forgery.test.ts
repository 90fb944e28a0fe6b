import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { createSubscribeLinks } from '../../server/forms/subscribe-links.ts';
import { createLogger } from '../../server/ops/log.ts';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { openQueueLink, type QueueLink } from '../../server/outbox/queue/queue-link.ts';
import { eventually } from '../support/eventually.ts';
import { message, SEND } from '../support/outbox-test.ts';
import { startPostgres } from '../support/postgres.ts';
import { queueTest, type Replica } from '../support/queue-test.ts';
import { postJson } from '../support/send-request.ts';

const SECRET = 'the-secret-of-the-links-of-this-site';
const QUEUE = { OUTBOX_QUEUE: 'forged' };
const SITE = { ...QUEUE, PUBLIC_URL: 'https://www.example.com', SUBSCRIBE_SECRET: SECRET };
const COMMAND = path.resolve(import.meta.dirname, '../../server/data/data-command.ts');

const it = queueTest.extend('openQueue', async ({}, { onCleanup }) => {
  const links: QueueLink[] = [];
  onCleanup(async () => {
    await Promise.all(links.map(link => link.close()));
  });
  /** Opens the queue as another program with write access does. */
  return async (url: string) => {
    const { outboxQueue } = readConfig({ ...QUEUE, OUTBOX_URL: url });
    const log = createLogger('silent');
    const link = await openQueueLink({ ...(outboxQueue ?? expect.fail()), isSite: false, log });
    links.push(link);
    return (id: string, data: object) =>
      link.write(queue => queue.add('message', data as never, { jobId: id }));
  };
});

/** The data of a job as a site makes it. */
const dataOf = (fields: Record<string, string>, key: string = randomUUID()) => ({
  ...{ key, receivedAt: new Date().toISOString(), message: fields },
});
const refusals = ({ log }: Replica) => log.filter(({ code }) => code === 'outbox-job-refused');
const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

for (const engine of ['Redis', 'PostgreSQL'])
  describe(`a queue in ${engine}`, () => {
    it('a site never uses the id of a foreign job as a file name, and delivers later messages', async ({
      backend,
      redis,
      start,
      openQueue,
      skip,
      onTestFinished,
    }) => {
      let { url } = redis;
      if (engine === 'PostgreSQL') {
        const postgres = await startPostgres({ skip });
        onTestFinished(() => postgres.dispose());
        ({ url } = postgres);
      }
      const replica = await start({ env: { ...QUEUE, OUTBOX_URL: url } });
      const add = await openQueue(url);
      // The path of a file beside the folder of the replica, in the machine's folder for temporary files.
      const victim = `../../../${path.basename(replica.dataDir)}-victim`;
      const ids = [victim, '../waiting/x', 'A'.repeat(32), `${'a'.repeat(32)}\n`];
      for (const id of ids) await add(id, dataOf(message()));
      await eventually(() =>
        expect(refusals(replica).map(({ id }) => id)).toEqual(expect.arrayContaining(ids)),
      );
      expect(refusals(replica)).toHaveLength(ids.length);
      expect(backend.callsTo(SEND)).toEqual([]);
      expect(await isThere(path.resolve(replica.dataDir, 'outbox/delivered', victim))).toBe(false);
      expect(await replica.names('waiting')).toEqual([]);
      expect(await replica.names('delivered')).toEqual([]);

      const answer = await postJson(replica.url, SEND, message());
      expect(answer.status).toBe(202);
      await eventually(() => expect(backend.callsTo(SEND)).toHaveLength(1));
      // An operator sees a refused job, and can remove it.
      const env = { ...QUEUE, OUTBOX_URL: url, DATA_DIR: replica.dataDir };
      const run = async (...words: string[]) =>
        (await promisify(execFile)(process.execPath, [COMMAND, ...words], { env })).stdout;
      expect(await run('list')).toMatch(/-victim {2}another replica .*queue: dead/m);
      expect(await run('erase', victim)).toMatch(/erased from queue/);
    });
  });

describe('a job of another program', () => {
  const email = 'somebody@example.com';
  const links = createSubscribeLinks({ subscribeSecret: [SECRET], publicOrigin: SITE.PUBLIC_URL });
  const { confirmUrl = '', leaveUrl = '' } = links?.fieldsFor(email) ?? {};
  const contact = { form: 'contact', name: 'A', email, message: 'Hello' };

  it.for([
    ['an unknown form', { form: 'order', email }],
    ['an unknown field', { ...contact, bcc: 'all@example.com' }],
    ['a second line in a name', { ...contact, name: 'A\nBcc: all@example.com' }],
    ['no e-mail address', { ...contact, email: 'nobody' }],
    ['a press without an address', { form: 'subscribe-confirm', email: 'nobody' }],
    ['a link to another host', { form: 'subscribe', email, confirmUrl: 'https://evil.example/?token=1' }],
    ['a link of another site', { form: 'subscribe', email, confirmUrl: confirmUrl.replace('www', 'evil') }],
    ['a link with words behind it', { form: 'subscribe', email, confirmUrl: `${confirmUrl}\nCall us` }],
    ['a language with a line', { form: 'subscribe', email, confirmUrl, leaveUrl, language: 'en\nx' }],
  ] as const)(
    'a job of another program is refused once, and is listed as a dead letter: %s',
    async ([, fields], { backend, redis, start, openQueue }) => {
      const replica = await start({ env: SITE });
      const add = await openQueue(redis.url);
      const key = randomUUID();
      await add(messageId(key), dataOf(fields, key));
      await eventually(() => expect(refusals(replica)).toHaveLength(1));
      await eventually(async () =>
        expect(await fetch(`${replica.opsUrl}/metrics`).then(answer => answer.text())).toMatch(
          /site_queue_jobs\{state="failed".*\} 1/,
        ),
      );
      expect([backend.callsTo(SEND), refusals(replica).length]).toEqual([[], 1]);
      expect(JSON.stringify(refusals(replica))).not.toContain('example');
    },
  );

  it.for([
    ['a message', contact],
    ['a subscription', { form: 'subscribe', email, confirmUrl, leaveUrl, language: 'de-DE' }],
    ['a press', { form: 'subscribe-leave', email }],
  ] as const)(
    'a job of another program is delivered if it has the same fields as a job of the site: %s',
    async ([, fields], { backend, redis, start, openQueue }) => {
      await start({ env: SITE });
      const add = await openQueue(redis.url);
      const key = randomUUID();
      await add(messageId(key), dataOf(fields, key));
      await eventually(() =>
        expect(backend.callsTo(SEND).map(({ body }) => JSON.parse(body))).toEqual([
          expect.objectContaining(fields),
        ]),
      );
    },
  );
});
