import type { Config } from '../config.ts';
import { shownAddress } from '../shared-state/shared-address.ts';
import { EVERY_PAGE, type Finding } from './finding.ts';

/** An address without TLS of another machine. */
const PLAIN = /^(?:http|redis(?:\+sentinel)?):\/\/(?!(?:localhost|127\.[\d.]+|\[::1\])(?:[:/]|$))/;

/** Looks for addresses without TLS. They may stay where the network is private, but for that of visitors. */
export function checkConnections(config: Config, baseUrl: string): Finding[] {
  const { sharedStore, outboxQueue, publicOrigin, trustProxy } = config;
  const addresses: Readonly<Record<string, string | false | null>> = {
    CONTENT_BASE_URL: baseUrl,
    SHARED_URL: sharedStore && shownAddress(sharedStore),
    OUTBOX_URL: outboxQueue?.address.engine === 'redis' && shownAddress(outboxQueue.address.redis),
    // A proxy in front usually has the certificate.
    PUBLIC_URL: trustProxy !== false && publicOrigin,
  };
  return Object.entries(addresses).flatMap(([variable, address]) => {
    if (!address || !PLAIN.test(address)) return [];
    const what = `${variable}: ${address} is not encrypted, so who can read the network between reads and changes what is sent`;
    const remedy =
      'set an address with https: or rediss:; it may stay where nobody else is in that network, such as inside of a cluster';
    const mayStay = variable === 'PUBLIC_URL' ? {} : ({ mayStay: true } as const);
    const common = { severity: 'warning', about: 'connections', pages: EVERY_PAGE, isLogged: false } as const;
    return { ...common, ...mayStay, what, remedy };
  });
}

/** Looks whether others than the replicas are believed what they write to the shared store. */
export function checkSharedStore({ sharedStore, sharedSecret }: Config): Finding[] {
  if (!sharedStore || sharedSecret) return [];
  const what =
    'SHARED_SECRET is not set: who can write to the store of SHARED_URL can put scripts into pages';
  const remedy = 'set SHARED_SECRET to one secret of at least 32 characters in all replicas';
  return [{ severity: 'warning', about: 'shared', pages: EVERY_PAGE, isLogged: true, what, remedy }];
}
