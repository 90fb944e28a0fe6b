import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../ops/log.ts';
import { NamedError } from '../../ops/named-error.ts';
import { ImageRefusedError, type ScaleWork, type ScalingMessage } from './scaling-messages.ts';

/** Memory limit for an idle process. Above it, the process is ended, and the next picture starts another. */
const IDLE_BYTES = 150 * 1024 * 1024;
const WATCH_EVERY_MS = 20;
const RESTART_AFTER_MS = 60_000;

/** The machine cannot scale pictures at the moment or at all. */
export class ScalerUnavailableError extends NamedError {}

/** The process ended while it scaled several pictures, so nobody knows which picture is at fault. */
export class ScalerEndedError extends NamedError {}

export class PictureChangedError extends NamedError {}

export interface ScalerOptions extends Partial<typeof DEFAULTS> {
  log: Logger;
  /** The folder that `build/brand/share-card.ts` writes for share cards. Without it, no card is drawn. */
  cardDir?: string;
}

interface Job extends PromiseWithResolvers<Uint8Array> {
  deadline: NodeJS.Timeout;
}

interface Running {
  readonly child: ChildProcess;
  readonly jobs: Map<number, Job>;
  readonly ready: PromiseWithResolvers<void>;
  reportedBytes: number;
  reason: 'memory' | 'deadline' | null;
  watch: NodeJS.Timeout | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** The script of the process, beside this module or beside the bundle in `dist/server`. */
const ENTRY = path.join(import.meta.dirname, `scaling-process${path.extname(import.meta.filename)}`);

const DEFAULTS = {
  /** Memory limit for a working process. Above it, the process is ended. An idle one has 80 MB. */
  maxBytes: 300 * 1024 * 1024,
  deadlineMs: 30_000,
  idleMs: 30_000,
  entry: ENTRY,
};

/** @returns environment variables that limit fontconfig and Pango to the fonts of a folder. */
function fontsOf(dir: string): Record<string, string> {
  return { FONTCONFIG_FILE: path.join(dir, 'fonts.conf'), PANGOCAIRO_BACKEND: 'fontconfig' };
}

/** Scales pictures in a process that starts with the first picture and ends when idle. */
export class Scaler {
  readonly #options: ScalerOptions & typeof DEFAULTS;
  #running: Running | null = null;
  #isStopped = false;
  #lastId = 0;
  #failure: { reason: string; until: number } | null = null;

  constructor(options: ScalerOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  get pid(): number | null {
    return this.#running?.child.pid ?? null;
  }

  /**
   * @throws ImageRefusedError, even for a picture that crashes the process or needs too much memory or time;
   *   ScalerEndedError, ScalerUnavailableError, PictureChangedError.
   */
  async scale(order: ScaleWork): Promise<Uint8Array> {
    const failure = this.#failure;
    if (this.#isStopped) throw new ScalerUnavailableError('the site is stopping');
    if (failure && performance.now() < failure.until) throw new ScalerUnavailableError(failure.reason);
    this.#running ??= this.#start();
    const own = this.#running;
    clearTimeout(own.idle);
    try {
      await own.ready.promise;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.#failure && !this.#isStopped) this.#cannotScale(own, reason, RESTART_AFTER_MS);
      throw error;
    }
    return this.#begin(own, order);
  }

  /** The memory of the process; 0 while it does not run. */
  get residentBytes(): number {
    return (this.#running && this.#residentBytes(this.#running)) ?? 0;
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#running) this.#end(this.#running);
  }

  #start(): Running {
    // Load the module with the first picture, so that the start stays fast.
    const { fork } = process.getBuiltinModule('node:child_process');
    const { entry, cardDir } = this.#options;
    const child = fork(entry, cardDir === undefined ? [] : [cardDir], {
      // Pass none of the site's flags and variables, because this process decodes untrusted pictures.
      execArgv: ['--max-old-space-size=64'],
      // Use two arenas, because glibc would keep freed memory in further ones.
      env: { MALLOC_ARENA_MAX: '2', ...(cardDir === undefined ? {} : fontsOf(cardDir)) },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const started: Running = {
      child,
      jobs: new Map(),
      ready: Promise.withResolvers<void>(),
      reportedBytes: 0,
      reason: null,
      watch: undefined,
      idle: undefined,
    };
    started.ready.promise.catch(() => {});
    child.on('message', (message: ScalingMessage) => this.#receive(started, message));
    child.once('error', error => this.#ended(started, error.message));
    child.once('exit', (code, signal) => this.#ended(started, `it ended with ${signal ?? code}`));
    // Let the site exit while the process is idle.
    child.unref();
    child.channel?.unref();
    return started;
  }

  #receive(from: Running, message: ScalingMessage): void {
    switch (message.kind) {
      case 'ready':
        from.ready.resolve();
        break;
      case 'unavailable':
        this.#cannotScale(from, message.reason, Number.POSITIVE_INFINITY);
        break;
      case 'memory':
        from.reportedBytes = message.bytes;
        break;
      case 'scaled':
        this.#finish(from, message.id, job => job.resolve(message.bytes));
        break;
      case 'changed':
        this.#finish(from, message.id, job => job.reject(new PictureChangedError(message.reason)));
        break;
      case 'refused': {
        const { status, message: text, reason } = message;
        const refusal = new ImageRefusedError(status, text, { cause: new Error(reason) });
        this.#finish(from, message.id, job => job.reject(refusal));
      }
    }
  }

  #cannotScale(from: Running, reason: string, pauseMs: number): void {
    this.#failure = { reason, until: performance.now() + pauseMs };
    this.#options.log.warn(
      { code: 'media-scaler-unavailable', reason },
      'images: pictures cannot be scaled, so the originals are served',
    );
    from.ready.reject(new ScalerUnavailableError(reason));
    this.#end(from);
  }

  #finish(from: Running, id: number, how: (job: Job) => void): void {
    const job = from.jobs.get(id);
    if (!job) return;
    clearTimeout(job.deadline);
    from.jobs.delete(id);
    how(job);
    if (from.jobs.size === 0) this.#rest(from);
  }

  #rest(from: Running): void {
    clearInterval(from.watch);
    if (this.#running !== from) return;
    if ((this.#residentBytes(from) ?? 0) > IDLE_BYTES) {
      this.#end(from);
      return;
    }
    from.idle = setTimeout(() => this.#end(from), this.#options.idleMs);
    from.idle.unref();
  }

  #end(from: Running): void {
    clearTimeout(from.idle);
    if (this.#running === from) this.#running = null;
    from.child.kill('SIGKILL');
  }

  #ended(from: Running, reason: string): void {
    if (this.#running === from) this.#running = null;
    clearTimeout(from.idle);
    clearInterval(from.watch);
    from.ready.reject(new ScalerUnavailableError(reason));
    const jobs = [...from.jobs.values()];
    from.jobs.clear();
    for (const job of jobs) {
      clearTimeout(job.deadline);
      job.reject(jobs.length === 1 ? this.#blame(from, reason) : new ScalerEndedError(reason));
    }
  }

  #blame({ reason }: Running, exit: string): ImageRefusedError {
    if (reason === 'memory')
      return new ImageRefusedError(413, 'This picture takes too much memory to be scaled.', {
        cause: new Error(`the scaling process had more than ${this.#options.maxBytes} bytes`),
      });
    if (reason === 'deadline')
      return new ImageRefusedError(422, 'This picture takes too long to be scaled.', {
        cause: new Error(`the picture was not scaled within ${this.#options.deadlineMs} ms`),
        isLasting: false,
      });
    return new ImageRefusedError(422, 'This picture is broken.', {
      cause: new Error(`the scaling process has ended: ${exit}`),
    });
  }

  #kill(from: Running, reason: 'memory' | 'deadline'): void {
    from.reason ??= reason;
    this.#end(from);
  }

  #residentBytes({ child, reportedBytes }: Running): number | null {
    if (process.platform !== 'linux') return reportedBytes;
    try {
      // Read kB here, because `/proc/PID/statm` counts memory pages, whose size varies.
      const [, kilobytes] =
        /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return kilobytes === undefined ? null : Number(kilobytes) * 1024;
    } catch {
      return null;
    }
  }

  #begin(on: Running, order: ScaleWork): Promise<Uint8Array> {
    this.#lastId += 1;
    const id = this.#lastId;
    const deadline = setTimeout(() => this.#kill(on, 'deadline'), this.#options.deadlineMs);
    deadline.unref();
    const job: Job = { ...Promise.withResolvers<Uint8Array>(), deadline };
    if (on.jobs.size === 0) {
      clearTimeout(on.idle);
      on.watch = setInterval(() => {
        if ((this.#residentBytes(on) ?? 0) > this.#options.maxBytes) this.#kill(on, 'memory');
      }, WATCH_EVERY_MS);
      on.watch.unref();
    }
    on.jobs.set(id, job);
    // Ignore errors of sending. The scaling process then ends, and `#ended` rejects the job.
    on.child.send({ id, ...order }, () => {});
    return job.promise;
  }
}
