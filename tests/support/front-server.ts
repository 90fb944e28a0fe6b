import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Engine } from './engines.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** A cache or proxy of `deploy/` in front of a test's sites, on the loopback interface. */
export interface FrontServer {
  readonly url: string;
  readonly port: number;
  /** Folder with the server's configuration and all its output. */
  readonly folder: string;
  /** @returns the output so far. */
  output(): string;
  dispose(): Promise<void>;
}

const DEPLOY = path.resolve(import.meta.dirname, '../../deploy');

/** @returns a file of `deploy/` with the texts replaced. @throws if the file lacks a text to replace. */
export async function deployed(file: string, changes: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(path.join(DEPLOY, file), 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`deploy/${file} does not have: ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

interface StartOptions {
  engine: Engine;
  /** Name of the configuration in the server's folder, and its text. */
  file: string;
  text: (folder: string, port: number) => string | Promise<string>;
  /** Arguments of the program. */
  args: (folder: string, port: number) => readonly string[];
  env?: (port: number) => Readonly<Record<string, string>>;
}

/** Starts a server with this configuration, and waits until it listens. */
export async function startFront({ engine, file, text, args, env }: StartOptions): Promise<FrontServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'front-'));
  const port = await freePort();
  await writeFile(path.join(folder, file), await text(folder, port));
  const child: ChildProcess = spawn(engine.command, args(folder, port), {
    env: { ...engine.env, HOME: folder, ...env?.(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      output += chunk;
    });

  async function dispose(): Promise<void> {
    // The first process ends its child processes, such as the one that serves in Varnish.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  try {
    await eventually(async () => {
      if (child.exitCode !== null) return;
      const socket = net.connect(port, '127.0.0.1');
      try {
        await once(socket, 'connect');
      } finally {
        socket.destroy();
      }
    });
    if (child.exitCode !== null) throw new Error(`${engine.command} does not start: ${output}`);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, port, folder, output: () => output, dispose };
}

/** Starts Varnish with `deploy/varnish.vcl` in front of sites. */
export function startVarnish(engine: Engine, siteUrls: readonly string[]): Promise<FrontServer> {
  return startFront({
    engine,
    file: 'varnish.vcl',
    text: () => varnishReplicas(siteUrls),
    args: (folder, port) => [
      ...['-F', '-n', path.join(folder, 'work'), '-j', 'none', '-a', `127.0.0.1:${port}`],
      ...['-f', path.join(folder, 'varnish.vcl'), '-s', 'malloc,64m', '-T', 'none'],
      ...['-p', 'http_gzip_support=off', '-p', 'http_resp_hdr_len=16k'],
      ...engine.modules.flatMap(dir => ['-p', `vmod_path=${dir}`]),
    ],
  });
}

/** @returns `deploy/varnish.vcl` with a copy of its one replica for each site. */
async function varnishReplicas(siteUrls: readonly string[]): Promise<string> {
  const [replica = ''] = /backend replica_1 \{[\s\S]*?\n\}\n/.exec(await deployed('varnish.vcl', {})) ?? [];
  const added = '  site.add_backend(replica_1);\n';
  const forEach = (text: string) =>
    siteUrls.map((url, index) =>
      text.replace('replica_1', `replica_${index}`).replace('"3000"', `"${new URL(url).port}"`),
    );
  return deployed('varnish.vcl', {
    [replica]: forEach(replica).join('\n'),
    [added]: forEach(added).join(''),
  });
}

/** Lines of `deploy/nginx.conf` for one replica. */
const NGINX_SERVERS = ['max_fails=2 fail_timeout=10s', 'max_fails=0 backup'].map(
  parameters => `    server 127.0.0.1:3000 ${parameters};\n`,
);

/** Starts nginx with `deploy/nginx.conf` in front of sites. Its logs are in its folder. */
export function startNginx(
  engine: Engine,
  siteUrls: readonly string[],
  changes: Readonly<Record<string, string>> = {},
): Promise<FrontServer> {
  const servers = NGINX_SERVERS.map(line => [
    line,
    siteUrls.map(url => line.replace('127.0.0.1:3000', new URL(url).host)).join(''),
  ]);
  return startFront({
    engine,
    file: 'nginx.conf',
    text: (folder, port) =>
      deployed('nginx.conf', {
        'worker_processes auto;': `worker_processes 1;\n${ownFolders(folder)}`,
        ...Object.fromEntries(servers),
        '/var/log/nginx': folder,
        '/var/cache/nginx/site': path.join(folder, 'cache'),
        'listen 80 reuseport;': `listen 127.0.0.1:${port};\n${temporaryFolders(folder)}`,
        ...changes,
      }),
    args: folder => ['-c', path.join(folder, 'nginx.conf')],
  });
}

/** nginx must run as the user of the test, who owns the folder of its cache. */
function ownFolders(folder: string): string {
  return `user ${os.userInfo().username};\npid ${folder}/nginx.pid;\ndaemon off;`;
}

function temporaryFolders(folder: string): string {
  const others = ['fastcgi', 'scgi', 'uwsgi'].map(name => `${name}_temp_path ${folder}/${name};`);
  return `client_body_temp_path ${folder}/body;\nproxy_temp_path ${folder}/proxy;\n${others.join('\n')}`;
}

/**
 * Starts nginx over a folder of files. @param prepare fills the folder for this address. @returns the path of
 *   a file to include in the `server` block.
 */
export function startFileServer(
  engine: Engine,
  prepare: (url: string, root: string) => Promise<string>,
): Promise<FrontServer> {
  const types =
    'text/html html; text/css css; text/javascript js; application/json json; text/xml xml; text/plain txt; image/svg+xml svg; image/png png; image/jpeg jpg; font/woff2 woff2;';
  return startFront({
    engine,
    file: 'nginx.conf',
    text: async (folder, port) => {
      const root = path.join(folder, 'site');
      const snippet = await prepare(`http://127.0.0.1:${port}`, root);
      const server = `listen 127.0.0.1:${port}; root ${root}; include ${snippet};`;
      return `${ownFolders(folder)}\nerror_log ${folder}/error.log;\nevents {}\nhttp {\naccess_log off; types { ${types} }\n${temporaryFolders(folder)}\nserver { ${server} }\n}\n`;
    },
    args: folder => ['-c', path.join(folder, 'nginx.conf')],
  });
}

/**
 * Starts Caddy with `deploy/Caddyfile` in front of sites. Caddy's authority issues the certificate.
 * @returns its address with `https:`.
 */
export async function startCaddy(
  engine: Engine,
  siteUrls: readonly string[],
  changes: Readonly<Record<string, string>> = {},
): Promise<FrontServer> {
  const front = await startFront({
    engine,
    file: 'Caddyfile',
    text: folder =>
      deployed('Caddyfile', {
        '{\n\t# A line': `{\nadmin off\nskip_install_trust\nauto_https disable_redirects\nstorage file_system ${folder}\n\t# A line`,
        'https://www.example.com} {': 'https://www.example.com} {\ntls internal',
        ...changes,
      }),
    env: port => ({
      PUBLIC_URL: `https://localhost:${port}`,
      SITES: siteUrls.map(url => new URL(url).host).join(' '),
    }),
    args: folder => ['run', '--adapter', 'caddyfile', '--config', path.join(folder, 'Caddyfile')],
  });
  return { ...front, url: `https://localhost:${front.port}` };
}
