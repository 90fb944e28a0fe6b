import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltSite } from './built-site.ts';

/** Reads the heap of another process that was started with `--inspect`. */
export interface HeapProbe {
  /** Collects garbage in the process. @returns the bytes of heap in use afterwards. */
  usedAfterCollection(): Promise<number>;
  close(): void;
}

/** Node arguments for a process that a probe can read, for `startBuiltSite`. */
export const INSPECTED: readonly string[] = ['--inspect=127.0.0.1:0'];

export async function openHeapProbe(site: BuiltSite): Promise<HeapProbe> {
  const address = /ws:\/\/\S+/.exec(site.errors())?.[0];
  if (!address) throw new Error(`The process has not printed the address of its inspector: ${site.errors()}`);
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const message: { id?: number; result?: Record<string, unknown> } = JSON.parse(String(data));
    if (message.id === undefined) return;
    waiting.get(message.id)?.(message.result ?? {});
    waiting.delete(message.id);
  });
  const call = (method: string) =>
    new Promise<Record<string, unknown>>(resolve => {
      lastId += 1;
      waiting.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method }));
    });
  return {
    async usedAfterCollection() {
      // Memory released by finalizers and closing sockets is free after the next collection.
      for (let times = 0; times < 4; times += 1) {
        await call('HeapProfiler.collectGarbage');
        await delay(100);
      }
      return Number((await call('Runtime.getHeapUsage')).usedSize);
    },
    close: () => socket.close(),
  };
}
