// node --import tests/bench/tick-probe.ts …
//
// Measures each tick of the main thread in its CPU time, and prints the longest on request.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const cpuMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;
  // A loop that never sleeps runs one `setImmediate` in each tick. One tick is therefore the time between two
  // of them.
  const next = () => {
    const now = process.threadCpuUsage();
    longestMs = Math.max(longestMs, cpuMs(now) - cpuMs(before));
    before = now;
    setImmediate(next).unref();
  };
  setImmediate(next).unref();
  const server = createServer((_req, res) => {
    res.end(String(longestMs));
    // The tick that sends the answer does not count.
    setImmediate(() => {
      longestMs = 0;
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.stderr.write(`tick probe: ${(server.address() as AddressInfo).port}\n`);
  });
  server.unref();
}
