import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { ask } from '../faults/client.ts';
import { WEBHOOK_SECRET } from '../faults/stage.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startGeneratedCms } from '../support/generated-cms.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { redisTest } from '../support/redis-test.ts';
import { SHARED_SECRET } from '../support/shared-secret.ts';

/** Commands that docs/scaling.md grants to the site's user. */
const COMMANDS = /`-@all (\+[a-z+ ]+)`/.exec(
  readFileSync(path.resolve(import.meta.dirname, '../../docs/scaling.md'), 'utf8'),
)?.[1];
const GROUP = 'corridor';

interface Group {
  /** The Redis servers with the data. The first one is the primary at the start. */
  servers: readonly RedisServer[];
  /** `SHARED_URL`, by which the sites find the primary. */
  url: string;
  /** Certificate of all servers. It is its own authority. */
  certificate: string;
}

const it = redisTest.extend('group', async ({ redis: _ }, { onCleanup }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sentinel-'));
  const running: RedisServer[] = [];
  onCleanup(async () => {
    for (const server of running.reverse()) await server.dispose();
    await rm(folder, { recursive: true, force: true });
  });
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    ...made,
    ...subject,
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  /** Starts a server with a TLS port for the sites, and a plain port for this test. */
  async function start(config: (tlsPort: number) => readonly string[], options: readonly string[] = []) {
    const tlsPort = await freePort();
    const tls = [`tls-port ${tlsPort}`, `tls-cert-file ${certificate}`, `tls-key-file ${key}`];
    const files = [...tls, `tls-ca-cert-file ${certificate}`, 'tls-auth-clients no', 'tls-replication yes'];
    const server = await startRedis({ config: [...files, ...config(tlsPort)], options });
    running.push(server);
    return { server, tlsPort };
  }
  const user = `user site on >right ~corridor:* -@all ${COMMANDS}`;
  const primary = await start(() => [user]);
  const second = await start(() => [user, `replicaof 127.0.0.1 ${primary.tlsPort}`]);
  await eventually(async () =>
    expect(await second.server.command('INFO', 'replication')).toContain('master_link_status:up'),
  );
  const ports: number[] = [];
  for (let number = 0; number < 3; number += 1) {
    const watch = `sentinel monitor ${GROUP} 127.0.0.1 ${primary.tlsPort} 2`;
    const times = [
      `sentinel down-after-milliseconds ${GROUP} 500`,
      `sentinel failover-timeout ${GROUP} 3000`,
    ];
    const { tlsPort } = await start(
      () => [watch, ...times, 'user watcher on >seen allcommands allchannels'],
      ['--sentinel'],
    );
    ports.push(tlsPort);
  }
  const hosts = ports.map(port => `127.0.0.1:${port}`).join(',');
  const servers = [primary.server, second.server];
  const url = `rediss+sentinel://site:right@${hosts}/${GROUP}/0`;
  return { servers, url, certificate } satisfies Group;
});

interface Ready {
  status: string;
  shared: string;
  purges: string;
}

async function isWell({ opsUrl }: BuiltSite): Promise<void> {
  const answer = (await (await fetch(`${opsUrl}/readyz`)).json()) as Ready;
  expect(answer).toMatchObject({ status: 'ready', shared: 'up', purges: 'shared' });
}

it('replicas find the store by Sentinel over TLS, with few permissions, and follow a failover', async ({
  group,
}) => {
  const { servers, url, certificate } = group;
  const cms = await startGeneratedCms({ articles: [], isDated: true });
  const sites: BuiltSite[] = [];
  try {
    for (const name of ['a', 'b'])
      sites.push(
        await startBuiltSite({
          contentBaseUrl: cms.backend.url,
          env: {
            ...{
              SHARED_URL: url,
              SHARED_SECRET,
              SHARED_PREFIX: 'corridor:',
              REPLICA_ID: name,
              WEBHOOK_SECRET,
            },
            ...{ CONTENT_TTL_MS: '3600000', NODE_EXTRA_CA_CERTS: certificate },
          },
        }),
      );
    const [one, other] = sites as [BuiltSite, BuiltSite];
    const about = cms.rows('page').find(({ slug }) => slug === 'about');
    if (!about) throw new Error('There is no page');
    /** Sends a change to one replica, and waits until the other replica shows it. */
    async function reachesBoth(h1: string): Promise<void> {
      const event = cms.publish('page', about as NonNullable<typeof about>, { h1 });
      expect((await sendWebhook(one.url, WEBHOOK_SECRET, event)).status).toBe(200);
      await eventually(async () => expect((await ask(other.url, '/about')).text).toContain(`>${h1}<`));
    }
    for (const site of sites) {
      await eventually(() => isWell(site));
      expect((await ask(site.url, '/about')).status).toBe(200);
    }
    await reachesBoth('Before the failover');

    await servers[0]?.kill();
    await eventually(
      async () => expect(await servers[1]?.command('INFO', 'replication')).toContain('role:master'),
      30_000,
    );
    for (const site of sites) await eventually(() => isWell(site), 30_000);
    await reachesBoth('After the failover');
    // The permissions suffice: Redis has refused nothing.
    expect(await servers[1]?.command('ACL', 'LOG')).toEqual([]);
  } finally {
    for (const site of sites) await site.dispose();
    await cms.close();
  }
});
