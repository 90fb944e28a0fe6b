import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../ops/log.ts';
import { ImageRefusedError } from './image-refused-error.ts';
import type { ScaleWork, ScalingMessage } from './scaling-messages.ts';

/** The resident memory at which the scaling process is ended, in bytes. An idle one has 80 MB. */
const MAX_BYTES = 300 * 1024 * 1024;
/** An idle process of more than this is ended, because what it keeps would count against the next picture. In bytes. */
const IDLE_BYTES = 150 * 1024 * 1024;
/** How often its memory is read while it works, in ms. */
const WATCH_EVERY_MS = 20;
/** Longest time for one picture, in ms. */
const DEADLINE_MS = 30_000;
/** How long an idle process is kept, in ms. */
const IDLE_MS = 30_000;
/** The pause after a process that could not start, in ms. */
const RESTART_AFTER_MS = 60_000;

/** Pictures cannot be scaled on the machine, or not now. */
export class ScalerUnavailableError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ScalerUnavailableError';
  }
}

/** The scaling process was ended while it worked on several pictures, so that it is not known which of them is to blame. */
export class ScalerEndedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ScalerEndedError';
  }
}

/** The stored file of a picture is another one by now. */
export class PictureChangedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'PictureChangedError';
  }
}

/** Scales pictures in a process of its own, which is started for the first picture and ended when there are none for a while. */
export interface Scaler {
  /**
   * @returns the rendition, or the picture of a shared link.
   * @throws ImageRefusedError for a picture that takes too much memory or time, or that ends the process: it is to blame when the process
   *   works on nothing else. Else ScalerEndedError. ScalerUnavailableError; PictureChangedError.
   */
  scale(order: ScaleWork): Promise<Uint8Array>;
  /** The id of the process that runs now. */
  readonly pid: number | null;
  stop(): void;
}

export interface ScalerOptions {
  log: Logger;
  maxBytes?: number;
  deadlineMs?: number;
  idleMs?: number;
  /** The file that the process runs. */
  entry?: string;
  /** The folder of the fonts and pictures of share cards (`build/share-card.ts`). Without it no card is drawn. */
  cardDir?: string;
}

interface Job extends PromiseWithResolvers<Uint8Array> {
  deadline: NodeJS.Timeout;
}

/** A process that was started. */
interface Running {
  readonly child: ChildProcess;
  readonly jobs: Map<number, Job>;
  /** Resolves when it can scale. */
  readonly ready: PromiseWithResolvers<void>;
  /** As the process itself says. */
  reportedBytes: number;
  /** Why the site has ended it. */
  reason: 'memory' | 'deadline' | null;
  /** Reads its memory while it works. */
  watch: NodeJS.Timeout | undefined;
  /** Ends it when it is idle. */
  idle: NodeJS.Timeout | undefined;
}

/** Beside this module in the sources, beside the bundle in `dist/server`. */
const ENTRY = path.join(import.meta.dirname, `scaling-process${path.extname(import.meta.filename)}`);

/** @returns the environment in which fontconfig and Pango know the fonts of a folder, and none of the machine. */
function fontsOf(dir: string): Record<string, string> {
  return { FONTCONFIG_FILE: path.join(dir, 'fonts.conf'), PANGOCAIRO_BACKEND: 'fontconfig' };
}

/** @returns a scaler without a process. */
export function createScaler({
  log,
  maxBytes = MAX_BYTES,
  deadlineMs = DEADLINE_MS,
  idleMs = IDLE_MS,
  entry = ENTRY,
  cardDir,
}: ScalerOptions): Scaler {
  let running: Running | null = null;
  let isStopped = false;
  let lastId = 0;
  /** Why no process is started, and until when. */
  let failure: { reason: string; until: number } | null = null;

  function start(): Running {
    // Loaded with the first picture: it would be a part of each start.
    const { fork } = process.getBuiltinModule('node:child_process');
    const child = fork(entry, cardDir === undefined ? [] : [cardDir], {
      // The site's own arguments and environment are not for this process: it reads what strangers have made.
      execArgv: ['--max-old-space-size=64'],
      // glibc's further arenas keep memory that was freed.
      env: { MALLOC_ARENA_MAX: '2', ...(cardDir === undefined ? {} : fontsOf(cardDir)) },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const started: Running = {
      ...{ child, jobs: new Map(), ready: Promise.withResolvers<void>() },
      ...{ reportedBytes: 0, reason: null, watch: undefined, idle: undefined },
    };
    started.ready.promise.catch(() => {});
    child.on('message', (message: ScalingMessage) => receive(started, message));
    child.once('error', error => ended(started, error.message));
    child.once('exit', (code, signal) => ended(started, `it ended with ${signal ?? code}`));
    // The site may end while the process is idle.
    child.unref();
    child.channel?.unref();
    return started;
  }

  function receive(from: Running, message: ScalingMessage): void {
    switch (message.kind) {
      case 'ready':
        from.ready.resolve();
        break;
      case 'unavailable':
        cannotScale(from, message.reason, Number.POSITIVE_INFINITY);
        break;
      case 'memory':
        from.reportedBytes = message.bytes;
        break;
      case 'scaled':
        settle(from, message.id, job => job.resolve(message.bytes));
        break;
      case 'changed':
        settle(from, message.id, job => job.reject(new PictureChangedError(message.reason)));
        break;
      case 'refused': {
        const { status, message: text, reason } = message;
        const refusal = new ImageRefusedError(status, text, { cause: new Error(reason) });
        settle(from, message.id, job => job.reject(refusal));
      }
    }
  }

  function cannotScale(from: Running, reason: string, pauseMs: number): void {
    failure = { reason, until: performance.now() + pauseMs };
    log.warn({ reason }, 'images: pictures cannot be scaled and are served as they are');
    from.ready.reject(new ScalerUnavailableError(reason));
    if (running === from) running = null;
    from.child.kill('SIGKILL');
  }

  function settle(from: Running, id: number, how: (job: Job) => void): void {
    const job = from.jobs.get(id);
    if (!job) return;
    clearTimeout(job.deadline);
    from.jobs.delete(id);
    how(job);
    if (from.jobs.size === 0) rest(from);
  }

  /** Ends the watch. The process ends after a while, and at once when it has kept much memory. */
  function rest(from: Running): void {
    clearInterval(from.watch);
    if (running !== from) return;
    if ((residentBytes(from) ?? 0) > IDLE_BYTES) {
      end(from);
      return;
    }
    from.idle = setTimeout(() => end(from), idleMs);
    from.idle.unref();
  }

  /** Ends a process that has nothing to do. */
  function end(from: Running): void {
    clearTimeout(from.idle);
    if (running === from) running = null;
    from.child.kill('SIGKILL');
  }

  function ended(from: Running, reason: string): void {
    if (running === from) running = null;
    clearTimeout(from.idle);
    clearInterval(from.watch);
    from.ready.reject(new ScalerUnavailableError(reason));
    const jobs = [...from.jobs.values()];
    from.jobs.clear();
    for (const job of jobs) {
      clearTimeout(job.deadline);
      job.reject(jobs.length === 1 ? blame(from, reason) : new ScalerEndedError(reason));
    }
  }

  function blame({ reason }: Running, end: string): ImageRefusedError {
    if (reason === 'memory')
      return new ImageRefusedError(413, 'This picture takes too much memory to be scaled.', {
        cause: new Error(`the scaling process had more than ${maxBytes} bytes`),
      });
    if (reason === 'deadline')
      return new ImageRefusedError(422, 'This picture takes too long to be scaled.', {
        cause: new Error(`the picture was not scaled within ${deadlineMs} ms`),
        isLasting: false,
      });
    return new ImageRefusedError(422, 'This picture is broken.', {
      cause: new Error(`the scaling process has ended: ${end}`),
    });
  }

  function kill(from: Running, reason: 'memory' | 'deadline'): void {
    from.reason ??= reason;
    if (running === from) running = null;
    from.child.kill('SIGKILL');
  }

  function residentBytes({ child, reportedBytes }: Running): number | null {
    if (process.platform !== 'linux') return reportedBytes;
    try {
      // In kB, whatever the size of a memory page is (`/proc/PID/statm` counts pages).
      const [, kilobytes] =
        /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return kilobytes === undefined ? null : Number(kilobytes) * 1024;
    } catch {
      return null;
    }
  }

  function begin(on: Running, order: ScaleWork): Promise<Uint8Array> {
    lastId += 1;
    const id = lastId;
    const deadline = setTimeout(() => kill(on, 'deadline'), deadlineMs);
    deadline.unref();
    const job: Job = { ...Promise.withResolvers<Uint8Array>(), deadline };
    if (on.jobs.size === 0) {
      clearTimeout(on.idle);
      on.watch = setInterval(() => {
        if ((residentBytes(on) ?? 0) > maxBytes) kill(on, 'memory');
      }, WATCH_EVERY_MS);
      on.watch.unref();
    }
    on.jobs.set(id, job);
    // An error of the channel is followed by the end of the process.
    on.child.send({ id, ...order }, () => {});
    return job.promise;
  }

  return {
    async scale(order) {
      if (isStopped) throw new ScalerUnavailableError('the site is stopping');
      if (failure && performance.now() < failure.until) throw new ScalerUnavailableError(failure.reason);
      running ??= start();
      const own = running;
      clearTimeout(own.idle);
      try {
        await own.ready.promise;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!failure && !isStopped) cannotScale(own, reason, RESTART_AFTER_MS);
        throw error;
      }
      return begin(own, order);
    },
    get pid() {
      return running?.child.pid ?? null;
    },
    stop() {
      isStopped = true;
      if (running) end(running);
    },
  };
}
