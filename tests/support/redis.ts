import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { type Engine, type EngineName, findEngine } from './engines.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** An answer of Redis: nested lists of texts and numbers. */
export type RedisReply = string | number | null | readonly RedisReply[];

export interface RedisOptions {
  /** Configuration lines, such as `maxmemory 1mb`. By default nothing is stored on disk. */
  config?: readonly string[];
  /** By default a free port. */
  port?: number;
  /** Command line options, such as `--sentinel`. */
  options?: readonly string[];
}

/** A Redis for one test, on the loopback interface. */
export interface RedisServer {
  /** `redis://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  /** Id of the running process. */
  readonly pid: number;
  /** Sends one command on a separate connection. @throws the error that Redis answers. */
  command(...words: readonly string[]): Promise<RedisReply>;
  /**
   * Cuts the connections of all clients of a type: `normal`, `replica` or `pubsub`. @returns their number.
   */
  cutConnections(type?: string): Promise<number>;
  /** Pauses the process (SIGSTOP): connections stay open, and nothing is answered. */
  pause(): void;
  resume(): void;
  /** Kills the process (SIGKILL). Data that Redis has not written is lost. */
  kill(): Promise<void>;
  /** Starts the process again, on the same port and folder. @param config replaces the configuration lines */
  start(config?: readonly string[]): Promise<void>;
  /** Ends the process and removes its folder. */
  dispose(): Promise<void>;
}

/** Starts Redis and waits until it answers. @throws without the engine. `redisTest` skips such tests. */
export async function startRedis({
  config = [],
  port,
  options = [],
}: RedisOptions = {}): Promise<RedisServer> {
  const engine = existing('redis-server');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'redis-'));
  const ownPort = port ?? (await freePort());
  const file = path.join(folder, 'redis.conf');
  const defaults = ['bind 127.0.0.1', `port ${ownPort}`, `dir ${folder}`, 'save ""', 'appendonly no'];
  let lines = config;
  let child: ChildProcess | null = null;
  const command = (...words: readonly string[]) => sendCommand(ownPort, words);

  async function start(next = lines): Promise<void> {
    lines = next;
    await writeFile(file, `${[...defaults, ...lines].join('\n')}\n`);
    const started = spawn(engine.command, [file, ...options], {
      env: engine.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    let output = '';
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', chunk => {
        output += chunk;
      });
    await eventually(async () => {
      if (started.exitCode !== null) throw new Error(`Redis does not start: ${output}`);
      // A Redis with a password answers, too.
      await command('PING').catch(error => {
        if (!/NOAUTH/.test(String(error))) throw error;
      });
    });
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${ownPort}`,
    port: ownPort,
    get pid() {
      return child?.pid ?? 0;
    },
    command,
    cutConnections: async (type = 'normal') => Number(await command('CLIENT', 'KILL', 'TYPE', type)),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    kill,
    start,
    async dispose() {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function existing(name: EngineName): Engine {
  const engine = findEngine(name);
  if (!engine) throw new Error(`${name} is missing`);
  return engine;
}

/** Sends a command in the protocol of Redis (RESP 2) and decodes the answer. */
async function sendCommand(port: number, words: readonly string[]): Promise<RedisReply> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(
      `*${words.length}\r\n${words.map(word => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`,
    );
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer]);
      const decoded = decode(received, 0);
      if (decoded?.error) throw new Error(decoded.error);
      if (decoded) return decoded.value;
    }
    throw new Error(`Redis closed the connection: ${words[0]}`);
  } finally {
    socket.destroy();
  }
}

/** A reply and the position after it. */
interface Decoded {
  value: RedisReply;
  end: number;
  error?: string;
}

/** @returns the reply that begins at a position, or null while bytes are missing. */
function decode(bytes: Buffer, at: number): Decoded | null {
  const lineEnd = bytes.indexOf('\r\n', at);
  if (lineEnd < 0) return null;
  const text = bytes.toString('utf8', at + 1, lineEnd);
  const end = lineEnd + 2;
  switch (String.fromCharCode(bytes[at] ?? 0)) {
    case '-':
      return { value: null, end, error: text };
    case ':':
      return { value: Number(text), end };
    case '$':
      if (text === '-1') return { value: null, end };
      if (bytes.length < end + Number(text) + 2) return null;
      return { value: bytes.toString('utf8', end, end + Number(text)), end: end + Number(text) + 2 };
    case '*':
      return decodeList(bytes, Number(text), end);
    default:
      return { value: text, end };
  }
}

function decodeList(bytes: Buffer, length: number, at: number): Decoded | null {
  const values: RedisReply[] = [];
  let end = at;
  for (let index = 0; index < length; index += 1) {
    const decoded = decode(bytes, end);
    if (!decoded) return null;
    values.push(decoded.value);
    end = decoded.end;
  }
  return { value: length < 0 ? null : values, end };
}
