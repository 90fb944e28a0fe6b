import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { serverBundle } from '../../build/bundles/bundles.ts';
import type { BareAnswer, BarePages } from './bare-server.ts';
import { SERVER_CORE } from './cores.ts';

/** A server in a separate process, for comparison with the site. */
export interface BareServer {
  url: string;
  pid: number;
  close(): Promise<void>;
}

/** Headers that node:http adds on both servers. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Requests an address of the site. @returns the answer with its exact headers and bytes. */
export function answerOf(
  url: string,
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<BareAnswer> {
  return new Promise((resolve, reject) => {
    const client = request(url + address, { headers, agent: false }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { rawHeaders } = response;
        const names: string[] = [];
        for (let index = 0; index < rawHeaders.length; index += 2) {
          const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
          if (!OWN_HEADERS.has(name.toLowerCase())) names.push(name, value);
        }
        const bodyBase64 = Buffer.concat(chunks).toString('base64');
        resolve({ status: response.statusCode ?? 0, headers: names, bodyBase64 });
      });
    });
    client.once('error', reject);
    client.end();
  });
}

/** Starts a bare node:http server that gives this answer. */
export function startBareServer(answer: BarePages): Promise<BareServer> {
  return startChild(path.resolve(import.meta.dirname, 'bare-server.ts'), answer);
}

/** Starts a bare node:http server that renders the page of this answer with React alone. */
export async function startBareRenderer(answer: BareAnswer, address: string): Promise<BareServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bare-render-'));
  await build({
    ...serverBundle('production'),
    entryPoints: [path.resolve(import.meta.dirname, 'bare-render.tsx')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    write: true,
  });
  const server = await startChild(path.join(folder, 'bare-render.mjs'), { ...answer, path: address });
  return {
    ...server,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startChild(script: string, answer: object): Promise<BareServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bare-'));
  const file = path.join(folder, 'answer.json');
  await writeFile(file, JSON.stringify(answer));
  const pinned = SERVER_CORE === undefined ? [] : ['taskset', '-c', String(SERVER_CORE)];
  const command = [...pinned, process.execPath, script, file];
  const child = spawn(command[0] ?? '', command.slice(1), {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [output] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer | number];
  const port = /listening (\d+)/.exec(String(output))?.[1];
  if (!port) throw new Error(`The bare server ${script} does not listen: ${output}`);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async close() {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
