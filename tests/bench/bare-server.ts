// node bare-server.ts answer.json answers every request with the same bytes and headers, for comparison with
// the site

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the site. */
export interface BareAnswer {
  status: number;
  /** Names and values alternate. */
  headers: string[];
  bodyBase64: string;
}

/** Answers of a bare server. With `paths` it answers only these, each with a separate copy of the bytes. */
export interface BarePages extends BareAnswer {
  paths?: readonly string[];
}

const { status, headers, bodyBase64, paths }: BarePages = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
);
const body = Buffer.from(bodyBase64, 'base64');
const bodies = paths && new Map(paths.map(path => [path, ownBytes(body)]));
const server = createServer((req, res) => {
  const own = bodies ? bodies.get(req.url ?? '') : body;
  res.writeHead(own ? status : 404, headers);
  res.end(own && own.byteLength > 0 ? own : undefined);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});

function ownBytes(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  bytes.copy(own);
  return own;
}
