import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startStrapi, untilReady } from '../../../build/cms/strapi.ts';

export interface RunningStrapi {
  child: ChildProcess;
  url: string;
  /** @returns everything that Strapi has printed. */
  output(): string;
}

/**
 * Starts Strapi without its panel, which then need not be built, and waits until it answers.
 * @param env the settings of the CMS, with `CMS_DATA_DIR` and `CMS_PORT`
 * @param folder the Strapi project, by default that of the repository
 */
export async function runStrapi(
  env: Readonly<Record<string, string>>,
  folder?: string,
): Promise<RunningStrapi> {
  const child = startStrapi({ SERVE_ADMIN: 'false', ...env }, 'pipe', folder);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      output += chunk;
    });
  const url = `http://127.0.0.1:${env.CMS_PORT}`;
  try {
    await untilReady(child, url);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${output}`);
  }
  return { child, url, output: () => output };
}

/** Stops Strapi, and waits for the writes to its database. */
export async function endStrapi(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
