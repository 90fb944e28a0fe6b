import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:https';
import { close, listen } from './listen.ts';

export interface HttpsFront {
  /** For example `https://localhost:41234`. */
  url: string;
  /** @returns the `Content-Type` of each POST to a path so far. */
  postedTo(path: string): (string | undefined)[];
  /** Sets the server that gets the requests from now on. */
  passTo(target: string): void;
  close(): Promise<void>;
}

/** Starts a reverse proxy that terminates TLS, as in production, with a self-signed certificate. */
export async function startHttpsFront(): Promise<HttpsFront> {
  let target = '';
  const posts: IncomingMessage[] = [];
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const certificate = selfSigned(spki, privateKey);
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const server = createServer({ key, cert: certificate }, (req, res) => {
    const { method, headers, url } = req;
    if (method === 'POST') posts.push(req);
    const forwarded = { ...headers, 'x-forwarded-proto': 'https' };
    const onwards = request(target + url, { method, headers: forwarded }, answer => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onwards.on('error', () => res.destroy());
    req.pipe(onwards);
  });
  const { port } = new URL(await listen(server));
  return {
    url: `https://localhost:${port}`,
    postedTo: path => posts.filter(({ url }) => url === path).map(({ headers }) => headers['content-type']),
    passTo(address) {
      target = address;
    },
    close: () => close(server),
  };
}

/** @returns a certificate (RFC 5280) for `localhost` in PEM, valid for a day. */
function selfSigned(spki: Buffer, privateKey: KeyObject): string {
  const algorithm = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const commonName = der(0x06, Buffer.from('550403', 'hex'));
  const name = der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from('localhost')))));
  const time = (days: number) => {
    const iso = new Date(Date.now() + days * 86_400_000).toISOString();
    return der(0x17, Buffer.from(`${iso.replace(/[-:T]/g, '').slice(2, 14)}Z`));
  };
  const serial = der(0x02, Buffer.from([1]), randomBytes(8));
  const validity = der(0x30, time(-1), time(1));
  const content = der(0x30, serial, algorithm, name, validity, name, spki);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const base64 = der(0x30, content, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

/** @returns a value in DER (X.690): tag, length and contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const lengths =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengths]), body]);
}
