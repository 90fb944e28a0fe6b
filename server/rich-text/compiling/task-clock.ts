export type TaskClock = ReturnType<typeof taskClock>;

const FIELDS = { threadId: 0, beganMs: 1, block: 2, blockBeganMs: 3 } as const;

export function taskClockMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Object.keys(FIELDS).length * Int32Array.BYTES_PER_ELEMENT);
}

/** A clock shared with the main thread. It counts the thread's CPU time, so the load does not matter. */
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

export function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return Math.round((user + system) / 1_000);
}
