import { mkdir, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { outboxTest as it, SEND } from '../support/outbox-test.ts';

const MESSAGES = 20;

describe('two processes with one host name and one process id, on one folder', () => {
  // Two sites in one process have equal host names and process ids, as two containers may have.
  it('two processes with equal host name and process id deliver each message of a shared folder once', async ({
    backend,
    start,
    emails,
    names,
    leave,
  }) => {
    const slow = heldAnswer({});
    backend.on(SEND, slow.behaviour);
    const keys = await Promise.all(Array.from({ length: MESSAGES }, () => leave('waiting', 60_000)));
    // A lease must not expire while a busy machine is late with its renewal.
    const overrides = { outbox: { pace: 1 } };
    const sites = [await start({ overrides }), await start({ overrides })];
    // Each site delivers four messages at a time. Both sites also read the folder again, and check each
    // other's leases.
    await eventually(() => expect(slow.waiting()).toBe(8));
    await Promise.all(
      sites.map(({ site }) => eventually(() => expect(site.outbox.state.waiting).toBe(MESSAGES))),
    );
    slow.release();
    await eventually(async () => expect(await names('waiting')).toEqual([]));
    expect(emails().sort()).toEqual(keys.map(key => `${key}@example.com`).sort());
    // A lease is released after its message has been removed.
    await eventually(async () => expect(await names('leases')).toEqual([]));
  });

  it('a process delivers the message of a killed process with equal host name and process id', async ({
    dataDir,
    start,
    emails,
    names,
    leave,
  }) => {
    const key = await leave('waiting', 60_000);
    const [file] = await names('waiting');
    const leases = path.join(dataDir, 'outbox', 'leases');
    await mkdir(leases, { recursive: true });
    await symlink(`${os.hostname()}:${process.pid}`, path.join(leases, file?.replace('.json', '') ?? ''));
    const site = await start();
    await eventually(() => expect(emails()).toEqual([`${key}@example.com`]), 40_000);
    await eventually(() => expect(site.site.outbox.state.waiting).toBe(0));
    await eventually(async () => expect(await names('leases')).toEqual([]));
  });
});
