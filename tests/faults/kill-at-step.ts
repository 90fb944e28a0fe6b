// node --import tests/faults/kill-at-step.ts … with KILL_AT_STEP=n kills the process (SIGKILL) at its nth
// step in the outbox folder. Each file system call has two steps: before and after it.

import { promises } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const lastStep = Number(process.env.KILL_AT_STEP);
let steps = 0;

type Work = (...args: unknown[]) => Promise<unknown>;

function counted(work: Work, isCounted: (args: unknown[]) => boolean): Work {
  return async (...args) => {
    if (!isCounted(args)) return work(...args);
    step();
    const result = await work(...args);
    step();
    return result;
  };
}

function step(): void {
  steps += 1;
  if (steps === lastStep) process.kill(process.pid, 'SIGKILL');
}

const isInOutbox = (args: unknown[]) => args.some(file => /[\\/]outbox(?:[\\/]|$)/.test(String(file)));
const calls = promises as unknown as Record<string, Work>;
const READING = ['access', 'lstat', 'readdir', 'readFile', 'readlink', 'stat'];
for (const name of [...READING, 'mkdir', 'rename', 'rm', 'symlink', 'utimes', 'writeFile'])
  calls[name] = counted(calls[name] as Work, isInOutbox);

const { open } = promises;
calls.open = counted(async (...args) => {
  const handle = await open(...(args as Parameters<typeof open>));
  if (isInOutbox(args)) countCalls(handle);
  return handle;
}, isInOutbox);

function countCalls(handle: FileHandle): void {
  const own = handle as unknown as Record<string, Work>;
  for (const name of ['writeFile', 'sync', 'close'])
    own[name] = counted((own[name] as Work).bind(handle), () => true);
}

syncBuiltinESMExports();
