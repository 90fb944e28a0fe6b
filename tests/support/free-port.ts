import { createServer } from 'node:http';
import { close, listen } from './listen.ts';

/** Ports below those that Linux gives to servers without a fixed port (from 32768), which other tests use. */
const [FIRST, LAST] = [20_000, 32_000];

/** @returns a free port, for a server whose address must be known before it starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer();
    const isFree = await listen(server, port).then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await close(server);
    return port;
  }
}
