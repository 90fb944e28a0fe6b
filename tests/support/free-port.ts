import { createServer } from 'node:http';
import { close, listen } from './listen.ts';

/** @returns a port that nothing listens on, for a server whose address another one has to know before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await close(server);
  return Number(port);
}
