import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { writeContentPlan } from '../../../build/cms/content-plan.ts';
import { installIfStale } from '../../../build/cms/prepare.ts';
import { type CmsSettings, ensureSecrets } from '../../../build/cms/secrets.ts';
import { FIXTURE_CONTENT } from '../../support/fixture.ts';
import { freePort } from '../../support/free-port.ts';
import prepareBrowser from '../../support/global-setup.ts';
import { inFull } from '../../support/in-full.ts';
import { installPostgres } from './postgres.ts';
import { endStrapi, runStrapi } from './strapi.ts';
import { installStrapi4 } from './strapi-4.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    seed: { folder: string; settings: CmsSettings };
  }
}

/** Fills one database with the sample content. Each test file starts with a copy of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await prepareBrowser();
  installIfStale();
  if (inFull) {
    installStrapi4();
    installPostgres();
  }
  const root = await mkdtemp(path.join(os.tmpdir(), 'cms-seed-'));
  const folder = path.join(root, 'data');
  const port = await freePort();
  const settings = ensureSecrets(root, {}, `http://127.0.0.1:${port}`);
  const plan = path.join(root, 'plan');
  await writeContentPlan(FIXTURE_CONTENT, plan);
  const strapi = await runStrapi({
    ...settings,
    CMS_DATA_DIR: folder,
    CMS_PORT: String(port),
    CMS_IMPORT: plan,
  });
  await endStrapi(strapi.child);
  project.provide('seed', { folder, settings });
  return () => rm(root, { recursive: true, force: true });
}
