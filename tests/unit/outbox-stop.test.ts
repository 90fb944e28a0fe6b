import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { UNWATCHED } from '../../server/cache/disk/disk-health.ts';
import { writeFileAtomically } from '../../server/cache/disk/write-file-atomically.ts';
import { createLogger } from '../../server/ops/log.ts';
import { Outbox } from '../../server/outbox/outbox.ts';
import { OutboxFiles } from '../../server/outbox/outbox-files.ts';

it('an outbox stops only after the read of its folder has ended', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'outbox-stop-'));
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  class HeldFiles extends OutboxFiles {
    override async list(...args: Parameters<OutboxFiles['list']>) {
      begun.resolve();
      await held.promise;
      return super.list(...args);
    }
  }
  const outbox = new Outbox({
    files: new HeldFiles(dir, writeFileAtomically),
    deliver: async () => {},
    deadLetterDays: 30,
    mailDays: 30,
    health: UNWATCHED,
    log: createLogger('error', { write: line => expect.fail(line) }),
  });
  const ends: string[] = [];
  outbox.begin();
  await begun.promise;
  const stopped = outbox.stop().then(() => ends.push('stopped'));
  // Only the read of the folder can delay the stop: there is no delivery and no queue.
  for (let tick = 0; tick < 50; tick += 1) await new Promise(setImmediate);
  ends.push('released');
  held.resolve();
  await stopped;
  expect(ends).toEqual(['released', 'stopped']);
  await rm(dir, { recursive: true });
});
