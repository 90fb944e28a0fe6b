import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from './eventually.ts';

/** A connection to which a test writes bytes directly, for requests that no HTTP client sends. */
export interface RawConnection {
  socket: Socket;
  /** @returns all received bytes so far, as Latin-1. */
  received(): string;
  /** @returns the statuses of the answers so far, in order. */
  statuses(): number[];
  /** Resolves when at least this number of answers has begun. */
  answers(count: number): Promise<number[]>;
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>;
}

/**
 * Opens a connection and writes to it.
 * @param options `allowHalfOpen` keeps the connection open for sending after the server has ended its side
 */
export async function openRaw(
  base: string,
  text: string | Buffer = '',
  options: { allowHalfOpen?: boolean } = {},
): Promise<RawConnection> {
  const { hostname, port } = new URL(base);
  const socket = connect({ ...options, host: hostname, port: Number(port) });
  let received = '';
  let isClosed = false;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  // Many tests expect the server to reset the connection.
  socket.on('error', () => {});
  socket.once('close', () => {
    isClosed = true;
  });
  await once(socket, 'connect');
  if (text.length > 0) socket.write(text);
  const statuses = () =>
    Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
  return {
    socket,
    received: () => received,
    statuses,
    answers: count =>
      eventually(() => {
        if (statuses().length < count && !isClosed)
          throw new Error(`Only ${statuses().length} answers: ${received}`);
        return statuses();
      }),
    async closed() {
      // `once` of node:events would reject on a reset, and a reset also closes the connection.
      if (!isClosed) await new Promise(resolve => socket.once('close', resolve));
    },
  };
}

/** Writes to a connection and reads until the server closes it. */
export async function sendRaw(base: string, text: string | Buffer): Promise<RawConnection> {
  const connection = await openRaw(base, text);
  await connection.closed();
  return connection;
}
