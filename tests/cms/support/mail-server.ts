import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** A server that speaks as much of SMTP (RFC 5321) as a client needs to hand over a message. */
export interface MailServer {
  port: number;
  /** The messages that were accepted, headers and text. */
  mails: string[];
  /** False: the server refuses each message, as one whose disk is full. */
  accepts: boolean;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const mail: MailServer = { port: 0, mails: [], accepts: true, close };
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
          if (mail.accepts) mail.mails.push(part);
          socket.write(mail.accepts ? '250 accepted\r\n' : '452 no space left\r\n');
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
