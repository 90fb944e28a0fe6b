import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks of IPv4 that are not public (IANA's special-purpose registry, and multicast). */
const NOT_PUBLIC_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
];
/** Networks inside of 2000::/3 that are not public, or that lead to an address of IPv4. */
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const notPublic = listOf(NOT_PUBLIC_4, 'ipv4');
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6');
const global6 = listOf(['2000::/3'], 'ipv6');

/** Whether an address belongs to a public host. An address of IPv4 inside of IPv6 counts as not public. */
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
