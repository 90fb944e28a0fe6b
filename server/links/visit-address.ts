import { lookup } from 'node:dns/promises';
import { request } from 'node:http';
import { BlockList, connect, isIP, isIPv4, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { HERE, type Verdict } from './resolve-link.ts';

export interface Network {
  resolve(host: string): Promise<readonly string[]>;
  connect(address: string, port: number): Socket;
}

const INTERNET: Network = {
  resolve: async host => (await lookup(host, { all: true })).map(({ address }) => address),
  connect: (address, port) => connect(port, address),
};

const MAX_HOPS = 5;
const VISIT_MS = 10_000;
const PORTS: readonly number[] = [80, 443];
const PERMANENT: readonly number[] = [301, 308];
const GONE: readonly number[] = [404, 410];

/**
 * Asks another site by HEAD whether a page exists. Refuses addresses that are not public, after each
 * resolution and redirect, and connects to the address that it has checked.
 * @returns null if the result says nothing about the link, as for a 403, a timeout or a refused address.
 */
export async function visitAddress(
  href: string,
  agent: string,
  stopped: AbortSignal,
  network: Network = INTERNET,
): Promise<Verdict | null> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(VISIT_MS)]);
  let url = new URL(href);
  let isMoved = true;
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    const { status, location } = await headOf(url, agent, signal, network);
    if (status === null) return { kind: 'dead', why: `there is no host ${url.hostname}`, isNameless: true };
    if (GONE.includes(status)) return { kind: 'dead', why: `${url.host} answers ${status}` };
    const next = status >= 300 && status < 400 ? URL.parse(location ?? '', url) : null;
    if (next === null) {
      if (status >= 400) return null;
      const hasMoved = hop > 0 && isMoved;
      return hasMoved ? { kind: 'moved', why: `it leads to ${url.href} for good: link to that` } : HERE;
    }
    isMoved &&= PERMANENT.includes(status);
    url = next;
  }
  return null;
}

/** @returns the status; null without such a host. @throws Error for a refused address, or no response. */
async function headOf(url: URL, agent: string, signal: AbortSignal, network: Network) {
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port) || (isSecure ? 443 : 80);
  if ((!isSecure && url.protocol !== 'http:') || !PORTS.includes(port) || url.username !== '')
    throw new Error(`${url.protocol} and port ${port} are not visited`);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = await resolve(host, network);
  const [address] = addresses;
  if (address === undefined) return { status: null, location: null };
  if (!addresses.every(isPublicAddress)) throw new Error(`${host} has an address that is not public`);
  signal.throwIfAborted();
  const answer = Promise.withResolvers<{ status: number; location: string | null }>();
  const socket = network.connect(address, port);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const asked = request({
    createConnection: () => (isSecure ? connectTls({ socket, ...servername }) : socket),
    ...{ method: 'HEAD', path: url.pathname + url.search, signal },
    headers: { Host: url.host, 'User-Agent': agent, Connection: 'close' },
  });
  asked.on('response', ({ statusCode = 0, headers }) =>
    answer.resolve({ status: statusCode, location: headers.location ?? null }),
  );
  asked.on('error', answer.reject);
  asked.end();
  return answer.promise.finally(() => socket.destroy());
}

async function resolve(host: string, network: Network): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  return network.resolve(host).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTFOUND') return [];
    throw error;
  });
}

/** IPv4 networks that are not public (IANA's special-purpose registry, and multicast). */
const NOT_PUBLIC_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
];
/** IPv6 networks within 2000::/3 that are not public, or whose addresses contain IPv4 addresses. */
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const notPublic = listOf(NOT_PUBLIC_4, 'ipv4');
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6');
const global6 = listOf(['2000::/3'], 'ipv6');

/** Whether an address is public. An IPv4 address inside an IPv6 address counts as not public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  return isIPv6(address) && global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [net = '', prefix] = network.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}
