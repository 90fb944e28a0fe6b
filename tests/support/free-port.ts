import { createServer } from 'node:http';
import { close, listen } from './listen.ts';

/**
 * Below the ports that Linux gives to servers without a port of their own (32768 and above): other tests
 * start such servers all the time.
 */
const [FIRST, LAST] = [20_000, 32_000];

/**
 * @returns a port that nothing listens on, for a server whose address another one has to know before it
 *   starts.
 */
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
