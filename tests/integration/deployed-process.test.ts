import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SECRET_VARIABLES } from '../../deploy/scripts/kubernetes.ts';
import { startBuiltSite } from '../faults/built-site.ts';
import { imageEnvironment, kubernetesManifests, unitSettings } from '../support/deployed-files.ts';
import { startEditableBackend } from '../support/editable-backend.ts';
import { copyRelease } from '../support/fixture.ts';
import { startRedis } from '../support/redis.ts';
import { redisTest } from '../support/redis-test.ts';
import { runCommand } from '../support/run-command.ts';

const SECRET_VALUE = 'a-secret-of-at-least-32-characters';

describe('deploy/kubernetes.yaml', () => {
  redisTest('a process with the pod’s variables answers its probes, and ends after SIGTERM', async () => {
    const ofKind = (kind: string) => kubernetesManifests().find(manifest => manifest.kind === kind);
    const [container] = ofKind('Deployment')?.spec.template.spec.containers ?? [];
    const backend = await startEditableBackend();
    const stores = await Promise.all(
      ['volatile-lru', 'noeviction'].map(policy =>
        startRedis({ config: ['maxmemory 100mb', `maxmemory-policy ${policy}`] }),
      ),
    );
    const { PORT, OPS_HOST, DATA_DIR, ...image } = imageEnvironment('Dockerfile');
    const site = await startBuiltSite({
      env: {
        ...image,
        ...ofKind('ConfigMap')?.data,
        ...Object.fromEntries(SECRET_VARIABLES.map(name => [name, SECRET_VALUE])),
        SHARED_URL: stores[0]?.url ?? '',
        OUTBOX_URL: stores[1]?.url ?? '',
        CONTENT_BASE_URL: backend.url,
        REPLICA_ID: 'site-7c5d9f8b6d-x2x4z',
      },
    });
    try {
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { path: address } = container[probe].httpGet;
        expect([probe, (await fetch(site.url + address)).status]).toEqual([probe, 200]);
      }
      // The pause before SIGTERM is over, so no delay follows.
      expect((await site.end('SIGTERM')).code).toBe(0);
      expect(site.lines().map(({ code }) => code)).toContain('stop-done');
      expect(site.lines().filter(({ code }) => code === 'stop-delayed')).toEqual([]);
    } finally {
      await site.dispose();
      for (const one of [...stores.map(({ dispose }) => dispose), () => backend.close()]) await one();
    }
  });
});

describe('deploy/site.service', () => {
  it('the command of deploy/site.service serves a release from a folder with dist/, content/ and package.json', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'release-'));
    try {
      await copyRelease(folder);
      const [command = ''] = unitSettings('ExecStart');
      const [node = '', ...args] = command.split(' ');
      expect(node).toBe('/opt/site/node/bin/node');
      const { DATA_DIR, ...own } = parseEnv(unitSettings('Environment').join('\n'));
      expect(DATA_DIR).toBe(`%S/${unitSettings('StateDirectory')[0]}`);
      const running = await runCommand([process.execPath, ...args], {
        cwd: folder,
        env: { ...(own as Record<string, string>), PUBLIC_URL: 'any', CONTENT: 'embedded' },
      });
      try {
        expect((await fetch(running.url)).status).toBe(200);
      } finally {
        await running.dispose();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
