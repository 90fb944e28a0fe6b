import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts a server on the loopback interface.
 * @param port 0 chooses a free port
 * @returns the address, such as `http://127.0.0.1:41234`.
 */
export async function listen(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
}
