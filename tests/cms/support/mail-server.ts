import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** A server that speaks enough SMTP (RFC 5321) to accept a message. */
export interface MailServer {
  port: number;
  /** Accepted messages with headers and text. */
  mails: string[];
  /** False makes the server refuse each message, as a server with a full disk does. */
  accepts: boolean;
  /** Number of messages sent so far, refused and held ones included. */
  sent: number;
  /** Holds the response to each message until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>();
  let held: Promise<void> | null = null;
  const mail: MailServer = { port: 0, mails: [], accepts: true, sent: 0, hold, close };
  function hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return () => {
      held = null;
      resolve();
    };
  }
  async function take(socket: Socket, text: string): Promise<void> {
    mail.sent += 1;
    await held;
    if (mail.accepts) mail.mails.push(text);
    socket.write(mail.accepts ? '250 accepted\r\n' : '452 no space left\r\n');
  }
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.write('220 mail.example ESMTP\r\n');
    let text = '';
    let isData = false;
    socket.on('data', chunk => {
      text += chunk;
      for (;;) {
        const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + (isData ? 5 : 2));
        if (isData) {
          void take(socket, part);
          isData = false;
          continue;
        }
        isData = /^DATA/i.test(part);
        socket.write(isData ? '354 go on\r\n' : '250 OK\r\n');
      }
    });
  });
  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => server.close(resolve));
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  mail.port = (server.address() as AddressInfo).port;
  return mail;
}
