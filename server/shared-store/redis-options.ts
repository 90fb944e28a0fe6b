import type { SharedAddress } from '../config/server-addresses.ts';

/** The options of ioredis for a server, or for the primary named by Sentinels. */
export function redisOptions(address: SharedAddress) {
  const { hosts, sentinelGroup, tls, username, password, sentinelPassword, database } = address;
  return {
    ...(sentinelGroup === null
      ? hosts[0]
      : { sentinels: [...hosts], name: sentinelGroup, enableTLSForSentinelMode: tls }),
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
    ...(tls ? { tls: {} } : {}),
    ...(tls && sentinelGroup !== null ? { sentinelTLS: {} } : {}),
    db: database,
    // Use protocol 2 (RESP2), whose responses are arrays, as the reference of commands shows them.
    protocol: 2 as const,
    disableClientInfo: true,
  };
}
