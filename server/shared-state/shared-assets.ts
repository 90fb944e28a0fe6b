import type { SharedStore } from './shared-store.ts';

/** Files of all builds, for the replicas that have not got them: in a rolling deploy any of them may be asked for any file. */
export interface SharedAssets {
  /** Makes a file stay. @param read returns its bytes, if the store lacks it. */
  keep(name: string, read: () => Promise<Buffer>): Promise<void>;
  /** @returns a file of any build, or null. Never rejects. */
  find(name: string): Promise<Buffer | null>;
}

/** The time limit of one file, in ms: without it a page is broken, so it is waited for longer than content. */
const LIMIT_MS = 500;

/** @param unusedForMs how long a file stays after a replica has last kept it, in ms. */
export function createSharedAssets(store: SharedStore, unusedForMs: number): SharedAssets {
  const keyOf = (name: string) => store.key(`asset:${name}`);
  const options = { op: 'asset', limitMs: LIMIT_MS };
  return {
    async keep(name, read) {
      const isThere = await store.command('PEXPIRE', [keyOf(name), unusedForMs], options);
      if (isThere === 1) return;
      const sealed = store.seal(keyOf(name), await read());
      await store.command('SET', [keyOf(name), sealed, 'PX', unusedForMs], options);
    },
    async find(name) {
      const asked = store.command<Buffer | null>('GET', [keyOf(name)], { ...options, asBytes: true });
      return store.open(keyOf(name), await asked.catch(() => null));
    },
  };
}
