import { once } from 'node:events';
import net from 'node:net';

/** A relay in front of a TCP server, by which a test degrades the connection. */
export interface TcpRelay {
  readonly port: number;
  /** Delay of each piece of data, in ms. */
  delayMs: number;
  /** Resets all connections, and each new one, until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Starts a relay on the loopback interface. At first it passes on everything unchanged. */
export async function startTcpRelay(target: number): Promise<TcpRelay> {
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const relay = { delayMs: 0 };
  const server = net.createServer(client => {
    if (isCut) return void client.resetAndDestroy();
    const onwards = net.connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, onwards],
      [onwards, client],
    ] as const) {
      sockets.add(from);
      // All pieces have the same delay, so they keep their order.
      from.on('data', data => void setTimeout(() => to.writable && to.write(data), relay.delayMs));
      from.on('error', () => {});
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as net.AddressInfo).port,
    get delayMs() {
      return relay.delayMs;
    },
    set delayMs(ms) {
      relay.delayMs = ms;
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend() {
      isCut = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
