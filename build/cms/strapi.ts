import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from '../output-files.ts';

export const cmsFolder = path.join(projectRoot, 'cms');

const LOCALHOST = ['127.0.0.1', '::1'];

/** @throws Error if another program has the port, because it would be mistaken for Strapi. */
export async function checkPortIsFree(port: number): Promise<void> {
  const answers = await Promise.all(LOCALHOST.map(host => isAnswered(host, port)));
  if (!answers.includes(true)) return;
  throw new Error(
    `Another program has port ${port} of this machine, perhaps a CMS that runs already. End it, or set CMS_PORT to another port: CMS_PORT=${port + 1} npm run cms`,
  );
}

function isAnswered(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port });
    const end = (isTaken: boolean) => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/** @param env the variables of `cms/config`, including `CMS_PORT`. */
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

/** Waits until Strapi answers and has imported its content. @throws Error if it exits earlier. */
export async function untilReady(strapi: ChildProcess, url: string): Promise<void> {
  while (strapi.exitCode === null && strapi.signalCode === null) {
    const answer = await fetch(`${url}/_health`).catch(() => null);
    if (answer?.ok) return;
    await delay(200);
  }
  throw new Error('Strapi has ended before it was ready. Its own message is above.');
}
