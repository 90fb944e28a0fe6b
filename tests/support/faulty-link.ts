import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A connection between a process and a server, which a test can slow down or cut. */
export interface FaultyLink {
  readonly port: number;
  /** Delays the server's bytes, in ms. */
  delay(ms: number): void;
  /** Swallows all bytes: connections are accepted and stay open, as in a network that drops packets. */
  cut(): void;
  /** Ends a cut or a delay. Connections opened during a cut are closed. */
  mend(): void;
  /** Closes all connections once. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts a link to a port of this machine. */
export async function startFaultyLink(target: number): Promise<FaultyLink> {
  const open = new Set<net.Socket>();
  let isCut = false;
  let delayMs = 0;
  const keep = (socket: net.Socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
    return socket;
  };
  const server = net.createServer(socket => {
    const near = keep(socket);
    const far = keep(net.connect(target, '127.0.0.1'));
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    near.on('data', bytes => {
      if (!isCut) far.write(bytes);
    });
    // Delayed bytes must not arrive after bytes that were sent later without a delay.
    let last: Promise<unknown> = Promise.resolve();
    far.on('data', bytes => {
      last = Promise.all([last, delayMs > 0 ? delay(delayMs) : null]).then(() => {
        if (!isCut) near.write(bytes);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    delay(ms) {
      delayMs = ms;
    },
    cut() {
      isCut = true;
    },
    mend() {
      if (isCut) reset();
      isCut = false;
      delayMs = 0;
    },
    reset,
    async close() {
      const closed = once(server, 'close');
      server.close();
      reset();
      await closed;
    },
  };
}
