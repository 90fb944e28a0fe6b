import { once } from 'node:events';
import { connect } from 'node:net';
import { BROWSER_HEADERS } from './client.ts';

export interface SprayOptions {
  count: number;
  connections?: number;
  /** Requests in flight on each connection. */
  pipelined?: number;
}

/**
 * Requests many paths as fast as they are answered, by pipelined HEAD requests. Only statuses are read.
 * @param pathOf gives the path of a request by its number
 * @returns the number of answers by status.
 */
export async function spray(
  base: string,
  pathOf: (index: number) => string,
  { count, connections = 16, pipelined = 8 }: SprayOptions,
): Promise<Record<number, number>> {
  const { hostname, port } = new URL(base);
  const headers = Object.entries(BROWSER_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  const rest = ` HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${headers.join('')}\r\n`;
  const statuses: Record<number, number> = {};
  let next = 0;

  async function run(): Promise<void> {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    let inFlight = 0;
    let unread = '';
    const fill = () => {
      let text = '';
      while (inFlight < pipelined && next < count) {
        text += `HEAD ${pathOf(next)}${rest}`;
        next += 1;
        inFlight += 1;
      }
      if (text !== '') socket.write(text);
      if (inFlight === 0) socket.end();
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      const heads = (unread + chunk).split('\r\n\r\n');
      unread = heads.pop() ?? '';
      for (const head of heads) {
        const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
        statuses[status] = (statuses[status] ?? 0) + 1;
        inFlight -= 1;
      }
      fill();
    });
    fill();
    await once(socket, 'close');
  }
  await Promise.all(Array.from({ length: connections }, run));
  return statuses;
}
