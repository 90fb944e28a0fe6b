import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'vitest';
import { completeStack } from '../../deploy/scripts/write-env.ts';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { type Compose, composeWith, imageEnvironment, read } from './deployed-files.ts';
import { type EditableBackend, startEditableBackend } from './editable-backend.ts';
import { type Engine, engineFor } from './engines.ts';
import { freePort } from './free-port.ts';
import { startCaddy } from './front-server.ts';
import { patient } from './patience.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import { startRedis } from './redis.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');

/** The services of `deploy/compose.yaml` as processes. A backend of the test stands for the CMS. */
export interface ComposedStack {
  readonly backend: EditableBackend;
  readonly sites: readonly BuiltSite[];
  /** Address of Caddy. */
  readonly publicUrl: string;
  /** The variables of `npm run compose:env`. */
  readonly variables: NodeJS.Dict<string>;
  readonly prometheus: Prometheus;
  /** A folder that is removed after the test. */
  readonly folder: string;
}

type Closing = (() => Promise<unknown>)[];
/** Addresses of the containers, with those of this machine. */
type Addresses = Map<string, string>;

/** A test of the stack. It is skipped without its programs. */
export const stackTest = test.extend('stack', async ({ skip }, { onCleanup }): Promise<ComposedStack> => {
  const caddy = engineFor('caddy', { skip });
  const prometheus = engineFor('prometheus', { skip });
  engineFor('redis-server', { skip });
  const closing: Closing = [];
  onCleanup(async () => {
    for (const close of closing.toReversed()) await close();
  });
  const backend = await startEditableBackend();
  closing.push(() => backend.close());
  const ports = await Promise.all(Array.from({ length: 3 }, freePort));
  const front = await startCaddy(
    caddy,
    ports.map(port => `http://127.0.0.1:${port}`),
    // A healthy replica on a busy machine may be late.
    { 'response_header_timeout 500ms': `response_header_timeout ${patient(500)}ms` },
  );
  closing.push(front.dispose);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'compose-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const variables = completeStack(path.join(folder, '.env'), front.url);
  const { services } = composeWith(variables);
  const addresses: Addresses = new Map([['http://cms:1337', backend.url]]);
  for (const name of ['cache', 'queue']) {
    // The first argument is the program. The others count more than the lines of a configuration.
    const redis = await startRedis({ options: services[name]?.command?.slice(1) ?? [] });
    closing.push(redis.dispose);
    addresses.set(`${name}:6379`, `127.0.0.1:${redis.port}`);
  }
  const sites = await startSites(services, ports, addresses, closing);
  const watching = await watch(prometheus, services, addresses, variables.OPS_TOKEN ?? '');
  closing.push(watching.dispose);
  return { backend, sites, publicUrl: front.url, variables, prometheus: watching, folder };
});

/** Starts the sites with their variables and those of the image, except ports and folders. */
async function startSites(
  services: Compose['services'],
  ports: readonly number[],
  addresses: Addresses,
  closing: Closing,
): Promise<BuiltSite[]> {
  const { OPS_HOST, DATA_DIR, ...image } = imageEnvironment('Dockerfile');
  const sites: BuiltSite[] = [];
  for (const [index, port] of ports.entries()) {
    const name = `site-${index + 1}`;
    const own = Object.entries(services[name]?.environment ?? {});
    const env = own.map(([variable, value]) => [variable, placed(value, addresses)]);
    const site = await startBuiltSite({ env: { ...image, ...Object.fromEntries(env), PORT: String(port) } });
    closing.push(site.dispose);
    sites.push(site);
    addresses.set(`${name}:9464`, new URL(site.opsUrl).host);
  }
  return sites;
}

/** Starts Prometheus with its files and arguments, and a second in place of its intervals. */
function watch(
  engine: Engine,
  services: Compose['services'],
  addresses: Addresses,
  opsToken: string,
): Promise<Prometheus> {
  const own = services.prometheus?.command ?? [];
  return startPrometheus({
    engine,
    files: folder => ({
      'ops-token': opsToken,
      'alerts.yml': read('deploy/alerts.yml'),
      'prometheus.yml': placed(read('deploy/prometheus.yml'), addresses)
        .replaceAll('_interval: 15s', '_interval: 1s')
        .replace('/run/secrets/', `${folder}/`),
    }),
    args: own.filter(argument => !/^--(?:config\.file|storage\.tsdb\.path)=/.test(argument)),
  });
}

/** @returns a text with the addresses of this machine in place of those of containers. */
function placed(text: string, addresses: Addresses): string {
  return [...addresses].reduce((found, [name, address]) => found.replaceAll(name, address), text);
}

/** Runs `npm run smoke`. */
export async function runSmoke(url: string): Promise<{ code: number; output: string }> {
  const child = spawn('npm', ['run', '--silent', 'smoke', '--', url], {
    cwd: PROJECT,
    // Caddy's authority has made the certificate.
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}
