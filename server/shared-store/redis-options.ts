import type { SharedAddress } from '../config/server-addresses.ts';

/** The options by which ioredis reaches a server, or the primary that Sentinels name. */
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
    // Answers are arrays, as the reference of the commands shows them.
    protocol: 2 as const,
    disableClientInfo: true,
  };
}
