// node bare-server.ts answer.json   answers everything with the same bytes and headers: what others are compared with

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer as the site gave it. */
export interface BareAnswer {
  status: number;
  /** Names and values one after the other. */
  headers: string[];
  bodyBase64: string;
}

const { status, headers, bodyBase64 }: BareAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const body = Buffer.from(bodyBase64, 'base64');
const server = createServer((_req, res) => {
  res.writeHead(status, headers);
  res.end(body.byteLength > 0 ? body : undefined);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
