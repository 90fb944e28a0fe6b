import { once } from 'node:events';

/** Loads packages and waits for a message. The dev loop prepares such a process for the next restart. */

const { DEV_PACKAGES: names } = process.env;
if (names !== undefined) {
  // The server's threads and child processes import this module, too, and must not wait.
  delete process.env.DEV_PACKAGES;
  const told = once(process, 'message');
  // Ignore a package that fails: the server reports it with the place of its import.
  await Promise.allSettled(JSON.parse(names).map((name: string) => import(name)));
  await told;
  process.disconnect();
}
