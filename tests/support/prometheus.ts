import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Engine } from './engines.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** One series of an answer, with its labels and its value now. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** A Prometheus for one test. */
export interface Prometheus {
  readonly url: string;
  /** @returns the series of an expression now. @throws its mistake. */
  query(expression: string): Promise<readonly Sample[]>;
  /** Asks the API, such as `rules`. */
  ask<T>(path: string): Promise<T>;
  dispose(): Promise<void>;
}

export interface PrometheusOptions {
  engine: Engine;
  /** Files of its folder by name, with `prometheus.yml`. */
  files: (folder: string) => Readonly<Record<string, string>>;
  /** Further arguments, in which `FOLDER` stands for its folder. */
  args?: readonly string[];
}

/** Starts Prometheus and waits until it answers. */
export async function startPrometheus({ engine, files, args = [] }: PrometheusOptions): Promise<Prometheus> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'prometheus-'));
  const port = await freePort();
  for (const [name, text] of Object.entries(files(folder))) await writeFile(path.join(folder, name), text);
  const child = spawn(
    engine.command,
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      ...args.map(argument => argument.replaceAll('FOLDER', folder)),
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { env: engine.env, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', chunk => {
    output += chunk;
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;

  async function ask<T>(address: string): Promise<T> {
    const answer = await fetch(`${url}/api/v1/${address}`);
    const { status, error, data } = (await answer.json()) as { status: string; error?: string; data: T };
    if (status !== 'success') throw new Error(error);
    return data;
  }

  async function dispose(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  try {
    await eventually(async () => {
      if (child.exitCode === null && (await fetch(`${url}/-/ready`)).status !== 200)
        throw new Error('Prometheus is not ready');
    });
    if (child.exitCode !== null) throw new Error(`Prometheus does not start: ${output}`);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    url,
    ask,
    query: async expression =>
      (await ask<{ result: Sample[] }>(`query?query=${encodeURIComponent(expression)}`)).result,
    dispose,
  };
}
