import { once } from 'node:events';
import { connect } from 'node:net';

const READ_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = 'Content-Length: ';

/** A connection with one request in flight at a time. */
export interface Connection {
  send(request: Uint8Array): void;
  end(): void;
}

export interface SentRequest {
  path: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** @returns the bytes of a request. */
export function requestFor(
  url: string,
  { path, method = 'GET', headers, body = '' }: SentRequest,
): Uint8Array<ArrayBuffer> {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const fields = Object.entries({ host: new URL(url).host, ...headers, ...length });
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}

/**
 * Opens a connection. Reading an answer allocates little, because a garbage collection here would delay the
 * measurement.
 * @param onAnswer called with the status when an answer is complete
 */
export async function openConnection(url: string, onAnswer: (status: number) => void): Promise<Connection> {
  const { hostname, port } = new URL(url);
  let status = 0;
  /** Bytes of the body still to come, or null before the head. */
  let left: number | null = null;

  function readChunk(bytes: number, chunk: Uint8Array): boolean {
    const read = Buffer.from(chunk.buffer, chunk.byteOffset, bytes);
    let body = bytes;
    if (left === null) {
      // A head has a few hundred bytes and arrives in one chunk.
      const end = read.indexOf(HEAD_END);
      if (end < 0) throw new Error('The head of an answer arrived in more than one chunk');
      const head = read.toString('latin1', 0, end);
      const length = head.indexOf(LENGTH);
      status = Number(head.slice(9, 12));
      left = length < 0 ? 0 : Number.parseInt(head.slice(length + LENGTH.length), 10);
      body -= end + HEAD_END.length;
    }
    left -= body;
    if (left <= 0) {
      left = null;
      onAnswer(status);
    }
    return true;
  }

  const socket = connect({
    port: Number(port),
    host: hostname,
    noDelay: true,
    onread: { buffer: Buffer.alloc(READ_BYTES), callback: readChunk },
  });
  await once(socket, 'connect');
  // Errors are ignored here, because the caller counts missing answers at the end.
  socket.on('error', () => {});
  return { send: request => void socket.write(request), end: () => socket.destroy() };
}
