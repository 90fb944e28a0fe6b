import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cmsFolder } from '../../../build/cms/strapi.ts';
import { endStrapi, type RunningStrapi, runStrapi } from './strapi.ts';
import { installTestPackages, testPackages } from './test-packages.ts';

const PROJECT = path.resolve(import.meta.dirname, '../strapi-4');

/** Installs the packages of Strapi 4 if they are missing or stale. */
export function installStrapi4(): void {
  installTestPackages('strapi-4', 'Strapi 4: about 600 MB, a minute or two');
}

/** Starts a Strapi 4 with the configuration and the types of `cms/`. `close` stops it. */
export async function runStrapi4(
  env: Readonly<Record<string, string>>,
): Promise<RunningStrapi & { close(): Promise<void> }> {
  const app = await mkdtemp(path.join(os.tmpdir(), 'strapi-4-'));
  for (const name of ['config', 'src'])
    await cp(path.join(cmsFolder, name), path.join(app, name), { recursive: true });
  await cp(path.join(PROJECT, 'index.js'), path.join(app, 'src/index.js'));
  await cp(path.join(PROJECT, 'package.json'), path.join(app, 'package.json'));
  await symlink(path.join(testPackages('strapi-4'), 'node_modules'), path.join(app, 'node_modules'));
  const remove = () => rm(app, { recursive: true, force: true });
  try {
    const strapi = await runStrapi(env, app);
    const close = async () => {
      await endStrapi(strapi.child);
      await remove();
    };
    return { ...strapi, close };
  } catch (error) {
    await remove();
    throw error;
  }
}
