import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../server/config/config.ts';
import { queueProblem } from '../../server/outbox/queue/queue-problem.ts';
import { checkedFacts } from '../../server/outbox/queue/redis-queue.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
  return [];
}

const nameOf = (env: Record<string, string>) =>
  readConfig({ OUTBOX_URL: 'redis://localhost', ...env }).outboxQueue?.name;

describe('OUTBOX_URL', () => {
  it.each([
    ['redis://queue.example.com', { engine: 'redis', redis: { tls: false } }],
    ['rediss://user:pass@queue.example.com:6380/2', { engine: 'redis', redis: { tls: true, database: 2 } }],
    ['redis+sentinel://one:26379,two:26379/group', { engine: 'redis', redis: { sentinelGroup: 'group' } }],
    ['postgres://user:pass@db.example.com/site', { engine: 'postgres' }],
    ['postgresql://db.example.com:5433/site?sslmode=require', { engine: 'postgres' }],
  ])('OUTBOX_URL accepts %s', (OUTBOX_URL, address) => {
    expect(readConfig({ OUTBOX_URL }).outboxQueue?.address).toMatchObject(address);
  });

  it.each([
    'localhost:6379',
    'http://localhost',
    'postgres://localhost',
    'mysql://localhost/site',
    'redis://',
  ])('OUTBOX_URL refuses %s', OUTBOX_URL => {
    expect(problemsOf({ OUTBOX_URL })).toEqual([
      expect.stringMatching(/^OUTBOX_URL: wants an address such as redis:.* or postgres:/),
    ]);
  });

  it('the other variables of the queue require OUTBOX_URL', () => {
    const wanted = ['OUTBOX_URL: wants the address of the queue that OUTBOX_QUEUE or OUTBOX_TRUST is for'];
    expect(problemsOf({ OUTBOX_QUEUE: 'mail' })).toEqual(wanted);
    expect(problemsOf({ OUTBOX_TRUST: 'on' })).toEqual(wanted);
    expect(problemsOf({ OUTBOX_URL: 'redis://localhost', OUTBOX_QUEUE: 'a:b' })).toEqual([
      'OUTBOX_QUEUE: wants letters, digits, dots, hyphens and underscores, 100 at most',
    ]);
  });
});

describe('the name of the queue', () => {
  it('the queue is named after the host of the site, so two sites on one server have two queues', () => {
    expect(nameOf({ PUBLIC_URL: 'https://www.example.com' })).toBe('outbox-www.example.com');
    expect(nameOf({ PUBLIC_URL: 'http://[::1]:3000' })).toBe('outbox----1--3000');
    expect(nameOf({ PUBLIC_URL: 'any' })).toBe('outbox');
    expect(nameOf({ PUBLIC_URL: 'https://www.example.com', OUTBOX_QUEUE: 'mail' })).toBe('mail');
  });
});

describe('a Redis', () => {
  const info = (policy?: string) =>
    ['redis_version:7.0.15', ...(policy ? [`maxmemory_policy:${policy}`] : [])].join('\r\n');

  it('a Redis that never evicts is accepted', () => {
    expect(checkedFacts(info('noeviction'), false)).toEqual({
      server: 'redis 7.0.15',
      promise: 'noeviction',
    });
  });

  it.each(['allkeys-lru', 'volatile-lru', 'allkeys-random'])(
    'a Redis with the eviction policy %s is refused',
    policy => {
      for (const isTrusted of [false, true])
        expect(() => checkedFacts(info(policy), isTrusted)).toThrow(`its maxmemory-policy is ${policy}. Set`);
    },
  );

  it('a Redis that hides its policy is refused unless OUTBOX_TRUST is on', () => {
    expect(() => checkedFacts(info(), false)).toThrow(/set OUTBOX_TRUST=on if it is noeviction/);
    expect(checkedFacts(info(), true)).toEqual({ server: 'redis 7.0.15', promise: 'trusted' });
  });
});

describe('an error of the queue', () => {
  it.each([
    ['WRONGPASS invalid username-password pair or user is disabled.', 'valid user and password'],
    ['password authentication failed for user "site"', 'valid user and password'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'maxmemory'],
    ["READONLY You can't write against a read only replica.", 'primary'],
    ['database "site" does not exist', 'create the database'],
    ['connect ECONNREFUSED 127.0.0.1:6379', 'whether the server of the queue runs'],
    ['the queue has not answered within 400 ms', 'load of the server'],
  ])('an error of the queue comes with a remedy: %s', (reason, remedy) => {
    expect(queueProblem(new Error(reason))).toEqual({ reason, remedy: expect.stringContaining(remedy) });
  });

  it('an error of the queue without a message is reported by its code', () => {
    expect(queueProblem(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toMatchObject({
      reason: 'ECONNREFUSED',
      remedy: expect.stringContaining('runs'),
    });
    const attempts = ['connect ECONNREFUSED ::1:6379', 'connect ECONNREFUSED 127.0.0.1:6379'];
    expect(queueProblem(new AggregateError(attempts.map(text => new Error(text)))).reason).toBe(attempts[0]);
  });
});
