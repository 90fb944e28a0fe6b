import { once } from 'node:events';

/**
 * Loads the packages of the server, and then waits for a message before the server itself is loaded. The dev
 * loop starts such a process before it is needed, so that a restart need not load the packages.
 */

const { DEV_PACKAGES: names } = process.env;
if (names !== undefined) {
  // Threads and programs of the server inherit this module, and must not wait.
  delete process.env.DEV_PACKAGES;
  const told = once(process, 'message');
  // The server reports a package that fails, with the place of its import.
  await Promise.allSettled(JSON.parse(names).map((name: string) => import(name)));
  await told;
  process.disconnect();
}
