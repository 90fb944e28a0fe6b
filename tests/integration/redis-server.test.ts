import { describe, expect, it } from 'vitest';
import { engineFor } from '../support/engines.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { redisTest } from '../support/redis-test.ts';

const redisIt = redisTest.extend('server', async ({ redis: _ }, { onCleanup }) => {
  const server = await startRedis({ config: ['maxmemory 2mb'] });
  onCleanup(server.dispose);
  return server;
});

const answerWithin = (server: RedisServer, ms: number) =>
  Promise.race([server.command('PING'), new Promise(resolve => setTimeout(resolve, ms, 'no answer'))]);

describe('the Redis of a test', () => {
  redisIt('a test’s Redis has the given configuration and answers commands', async ({ server }) => {
    expect(await server.command('CONFIG', 'GET', 'maxmemory')).toEqual(['maxmemory', '2097152']);
    expect(await server.command('XADD', 'log', '1-1', 'tags', 'ä')).toBe('1-1');
    expect(await server.command('XRANGE', 'log', '-', '+')).toEqual([['1-1', ['tags', 'ä']]]);
    await expect(server.command('GET', 'log')).rejects.toThrow('WRONGTYPE');
  });

  redisIt('a test’s Redis can hang, be killed, and restart on its port', async ({ server }) => {
    server.pause();
    expect(await answerWithin(server, 50)).toBe('no answer');
    server.resume();
    await server.command('SET', 'key', 'value');
    await server.kill();
    await expect(server.command('PING')).rejects.toThrow('ECONNREFUSED');
    await server.start(['requirepass secret']);
    await expect(server.command('GET', 'key')).rejects.toThrow('NOAUTH');
    await server.kill();
    await server.start([]);
    expect(await server.command('GET', 'key')).toBe(null);
  });

  redisIt('a test’s Redis can cut the connections of its clients', async ({ server }) => {
    const waiting = server.command('BLPOP', 'never', '0');
    const cut = expect(waiting).rejects.toThrow();
    while (
      (await server.command('CLIENT', 'LIST', 'TYPE', 'normal'))?.toString().match(/cmd=blpop/) === null
    );
    expect(await server.cutConnections()).toBeGreaterThanOrEqual(1);
    await cut;
  });
});

it('a test whose engine is missing is skipped, or fails if engines are required', () => {
  // No machine has a program with this name.
  const name = 'no-such-engine' as 'caddy';
  const skip = (reason: string): never => {
    throw new Error(`skipped: ${reason}`);
  };
  const required = process.env.REQUIRE_ENGINES;
  try {
    delete process.env.REQUIRE_ENGINES;
    expect(() => engineFor(name, { skip })).toThrow(
      /^skipped: no-such-engine is not installed: `npm run engines`/,
    );
    process.env.REQUIRE_ENGINES = '1';
    expect(() => engineFor(name, { skip })).toThrow(
      /^no-such-engine is not installed.*REQUIRE_ENGINES is set/,
    );
  } finally {
    if (required === undefined) delete process.env.REQUIRE_ENGINES;
    else process.env.REQUIRE_ENGINES = required;
  }
});
