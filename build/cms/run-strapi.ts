import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cmsFolder } from './cms-folder.ts';

/**
 * Starts Strapi.
 * @param env the variables of `cms/config`. `CMS_PORT` must be set.
 * @param stdio where its log goes.
 * @param folder the Strapi project, with its packages.
 */
export function startStrapi(
  env: NodeJS.ProcessEnv,
  stdio: 'inherit' | 'pipe',
  folder = cmsFolder,
): ChildProcess {
  const strapiBin = path.join(folder, 'node_modules', '@strapi', 'strapi', 'bin', 'strapi.js');
  return spawn(process.execPath, [strapiBin, 'start'], {
    cwd: folder,
    stdio: ['ignore', stdio, stdio],
    env: { ...process.env, NODE_ENV: 'production', STRAPI_TELEMETRY_DISABLED: 'true', ...env },
  });
}

/**
 * Waits until Strapi answers. It has then imported the content, if there was something to import.
 * @throws Error if it ends before.
 */
export async function untilReady(strapi: ChildProcess, url: string): Promise<void> {
  while (strapi.exitCode === null && strapi.signalCode === null) {
    const answer = await fetch(`${url}/_health`).catch(() => null);
    if (answer?.ok) return;
    await delay(200);
  }
  throw new Error('Strapi has ended before it was ready. Its own message is above.');
}
