import type { Worker } from 'node:worker_threads';
import { NamedError } from '../../ops/named-error.ts';

/** Limits of CPU time in ms: for a task, and for colouring one code block. */
export interface TaskLimits {
  readonly taskMs: number;
  readonly blockMs: number;
  /** The limit of real time, in ms. It ends tasks that use no CPU time. */
  readonly wallMs: number;
}

export class TaskEndedError extends NamedError {
  /** Whether a single code block took too long. */
  readonly isBlock: boolean;
  /** The code block being coloured; 0 for none. */
  readonly block: number;

  constructor(message: string, block = 0, isBlock = false) {
    super(message);
    this.block = block;
    this.isBlock = isBlock;
  }
}

/** The delay before the first check, in ms. Most tasks end earlier. */
const FIRST_LOOK_MS = 50;
const NEXT_LOOK_MS = 25;

/** @param end called once when the task has taken too long. @returns a function that ends the watch. */
export function watchTask(
  clock: TaskClock,
  limits: TaskLimits,
  workerOf: (threadId: number) => Worker | undefined,
  end: (reason: TaskEndedError) => void,
): () => void {
  let waitingSince = performance.now();
  let hasBegun = false;
  let isAsking = false;
  let usedMs = 0;
  let timer = setTimeout(look, FIRST_LOOK_MS);

  function look(): void {
    const notes = clock.read();
    if (notes.threadId !== 0 && !hasBegun) {
      hasBegun = true;
      waitingSince = performance.now();
    }
    const reason = reasonToEnd(notes);
    if (reason !== null) {
      end(reason);
      return;
    }
    void askForUsage(notes.threadId);
    timer = setTimeout(look, NEXT_LOOK_MS);
  }

  /** Asks without waiting, because a thread inside a long call of V8 answers later. */
  async function askForUsage(threadId: number): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      const usage = await workerOf(threadId)?.cpuUsage?.();
      if (usage) usedMs = cpuMs(usage);
    } catch {
      // Ignore the error: the thread and its task have ended.
    } finally {
      isAsking = false;
    }
  }

  function reasonToEnd({
    beganMs,
    block,
    blockBeganMs,
  }: ReturnType<TaskClock['read']>): TaskEndedError | null {
    if (performance.now() - waitingSince > limits.wallMs)
      return new TaskEndedError(
        hasBegun
          ? `it took longer than ${limits.wallMs / 1_000} s`
          : `no thread was ready within ${limits.wallMs / 1_000} s`,
        block,
      );
    if (usedMs - beganMs > limits.taskMs)
      return new TaskEndedError(`it took longer than ${limits.taskMs / 1_000} s of CPU time`, block);
    if (block !== 0 && usedMs - blockBeganMs > limits.blockMs)
      return new TaskEndedError(`it took longer than ${limits.blockMs} ms of CPU time`, block, true);
    return null;
  }

  return () => clearTimeout(timer);
}

export type TaskClock = ReturnType<typeof taskClock>;

const FIELDS = { threadId: 0, beganMs: 1, block: 2, blockBeganMs: 3 } as const;

export function taskClockMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Object.keys(FIELDS).length * Int32Array.BYTES_PER_ELEMENT);
}

/** A clock shared with the main thread. It counts CPU time, so the machine's load does not matter. */
export function taskClock(memory: SharedArrayBuffer) {
  const fields = new Int32Array(memory);
  const store = (field: keyof typeof FIELDS, value: number) =>
    void Atomics.store(fields, FIELDS[field], value);
  const load = (field: keyof typeof FIELDS) => Atomics.load(fields, FIELDS[field]);
  return {
    /** `threadId` is 0 before the task begins. `block` is the code block being coloured, or 0. */
    read: () => ({
      threadId: load('threadId'),
      beganMs: load('beganMs'),
      block: load('block'),
      blockBeganMs: load('blockBeganMs'),
    }),
    begin(threadId: number) {
      store('beganMs', threadCpuMs());
      store('threadId', threadId);
    },
    beginBlock(block: number) {
      store('blockBeganMs', threadCpuMs());
      store('block', block);
    },
    endBlock: () => store('block', 0),
  };
}

export function threadCpuMs(): number {
  return cpuMs(process.threadCpuUsage());
}

function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return Math.round((user + system) / 1_000);
}
