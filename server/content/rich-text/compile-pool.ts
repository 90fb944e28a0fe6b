import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import { Piscina } from 'piscina';
import type { RichText } from '../../../shared/content/rich-text.ts';
import { builtResults } from '../../ops/built-results.ts';
import { createMediaPolicy, EMBEDDED_ADDRESS } from '../safe-address.ts';
import type { CompileAnswer, CompiledText, CompileTask, TextToCompile } from './compile-task.ts';
import { cutNodes } from './cut-nodes.ts';
import type { TextLoss } from './lose-text.ts';
import { readSimpleText } from './simple-text.ts';
import { taskClock, taskClockMemory } from './task-clock.ts';
import { TaskEndedError, type TaskLimits, watchTask } from './watch-task.ts';

/** Threads in which rich text is compiled, because some texts of a CMS would block the process for minutes. */
export interface CompilePool {
  /**
   * Compiles a text. A text that takes too long, or all memory of its thread, becomes paragraphs without formatting, and a block of code
   * that takes too long to colour stays plain. `losses` says so. Texts are compiled in the order of the calls, except those that
   * `simple-text.ts` can read.
   *
   * @throws CompilePoolError when no thread works. The text is not to blame.
   */
  compile(text: TextToCompile): Promise<CompiledText>;
  /** Starts the first thread, unless it has been started. */
  start(): void;
  /** Ends the threads and everything that they do. */
  close(): Promise<void>;
}

/** The threads cannot be started, or have been ended. */
export class CompilePoolError extends Error {
  constructor(cause: unknown) {
    super('No thread compiles rich text', { cause });
    this.name = 'CompilePoolError';
  }
}

export interface CompilePoolOptions {
  /** The worker's file in the build, `compile-worker.js`. */
  file: string;
  limits?: TaskLimits;
  /** The bound of a thread's heap in MB. The worst texts within the bounds of `source-bounds.ts` take half of the default. */
  maxHeapMb?: number;
}

/**
 * The worst honest text, 30,000 words with all kinds of formatting, takes 0.5 s on a slow machine. The limit on the wall is for a thread
 * that waits for something, and for a Node before 24.6, which does not tell the CPU time of a thread.
 */
export const TASK_LIMITS: TaskLimits = { taskMs: 2_000, blockMs: 250, wallMs: 15_000 };

/** More threads than this would hardly ever work at once. */
const MAX_THREADS = 4;
/** After so many blocks of code that took too long the others of the text stay plain, too. */
const MAX_SLOW_BLOCKS = 3;

type Threads = Piscina<CompileTask, CompileAnswer>;

/** Threads, and the ends of the tasks in them for the case that one of the threads cannot be started. */
interface OpenThreads {
  threads: Threads;
  running: Set<(error: unknown) => void>;
}

/**
 * Creates the threads: one for each core but the first one, which has the main thread. They do not keep the process running. With a second core
 * the first thread starts at once. On a single core it would delay the first page by a tenth of a second, so it starts with the first text that
 * needs it, or by `start`.
 */
export function createCompilePool({
  file,
  limits = TASK_LIMITS,
  maxHeapMb = 192,
}: CompilePoolOptions): CompilePool {
  const cores = availableParallelism();
  const maxThreads = Math.min(MAX_THREADS, Math.max(1, cores - 1));
  // The queue is here and not in piscina, whose queue stands still when a thread cannot be started.
  const queue = new PQueue({ concurrency: maxThreads });
  let isClosed = false;
  let open: OpenThreads | null = cores > 1 ? openThreads() : null;

  function openThreads(): OpenThreads {
    const threads: Threads = new Piscina({
      filename: file,
      minThreads: 1,
      maxThreads,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    const opened: OpenThreads = { threads, running: new Set() };
    // An error that belongs to no task: a thread could not be started. Piscina would never begin the tasks that wait for it.
    threads.on('error', error => {
      if (open === opened) open = null;
      for (const fail of opened.running) fail(error);
      void threads.destroy();
    });
    return opened;
  }

  /** @throws TaskEndedError when the task has taken too long; another error when its thread has ended. */
  async function run(task: Omit<CompileTask, 'clock'>): Promise<CompileAnswer> {
    if (isClosed) throw new Error('The threads have been ended');
    open ??= openThreads();
    const { threads, running } = open;
    // One promise for each task: a promise that lives as long as the threads would keep the results of all tasks that it races with.
    const failure = Promise.withResolvers<never>();
    running.add(failure.reject);
    const clock = taskClockMemory();
    const ending = new AbortController();
    const stopWatching = watchTask(
      taskClock(clock),
      limits,
      id => threads.threads.find(({ threadId }) => threadId === id),
      reason => ending.abort(reason),
    );
    try {
      const done = threads.run({ ...task, clock }, { signal: ending.signal });
      return await Promise.race([done, failure.promise]);
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : error;
    } finally {
      running.delete(failure.reject);
      stopWatching();
    }
  }

  async function compile(text: TextToCompile): Promise<CompiledText> {
    const losses: TextLoss[] = [];
    let cpuMs = 0;
    let task = { ...text, plainBlocks: [] as readonly number[], plainFrom: Infinity };
    for (;;) {
      try {
        const { json, ...answer } = await run(task);
        const tree: RichText = JSON.parse(json);
        return { ...answer, tree, losses: [...losses, ...answer.losses], cpuMs: cpuMs + answer.cpuMs };
      } catch (error) {
        // Not even the plain text could be had: the text is not to blame.
        if (isClosed || task.isPlain) throw new CompilePoolError(error);
        const ended = error instanceof TaskEndedError ? error : null;
        cpuMs += ended?.isBlock ? limits.blockMs : limits.taskMs;
        const { next, reason } = retry(task, ended);
        losses.push({ kind: 'shown-as-text', reason: `${reason}: ${reasonOf(error)}` });
        task = next;
      }
    }
  }

  return {
    compile: async text =>
      simpleText(text) ?? builtText(text) ?? noted(text, await queue.add(() => compile(text))),
    start() {
      if (!isClosed) open ??= openThreads();
    },
    async close() {
      isClosed = true;
      await open?.threads.destroy();
    },
  };
}

/** @returns a simple text without a thread; null for another text, and for one beyond its bound. */
function simpleText({ source, isJson, isPlain, media, maxSize }: TextToCompile): CompiledText | null {
  const read = isJson || isPlain ? null : readSimpleText(source, createMediaPolicy(media));
  if (read === null) return null;
  const { tree, size, isCut } = cutNodes(read, maxSize);
  return isCut ? null : { tree, size, losses: [], cpuMs: 0 };
}

/** The build has compiled texts of the embedded backend alone. */
const built = builtResults<Pick<CompiledText, 'tree' | 'size'>>('rich-text');

/** @returns what the build made of a text, if that is within the bound; null for a text that the build did not have. */
function builtText(text: TextToCompile): CompiledText | null {
  const { maxSize, media, isPlain } = text;
  const known = isPlain || media.contentBaseUrl !== EMBEDDED_ADDRESS ? null : built.of(meaningOf(text));
  if (known === null || known.size.nodes > maxSize.nodes || known.size.characters > maxSize.characters)
    return null;
  return { ...known, losses: [], cpuMs: 0 };
}

/** Tells the build of a text, unless something of it was lost, which is compiled again with each start so that the log says it. */
function noted(text: TextToCompile, compiled: CompiledText): CompiledText {
  const { tree, size, losses } = compiled;
  if (losses.length === 0 && !text.isPlain) built.note(meaningOf(text), { tree, size });
  return compiled;
}

/** @returns everything that the tree of a text depends on, but for its bound. */
function meaningOf({ source, isJson, media }: TextToCompile): string {
  return JSON.stringify([isJson, media, source]);
}

/** @returns the task for another attempt, without what took too long, and what visitors see then. */
function retry<T extends Pick<CompileTask, 'isPlain' | 'plainBlocks' | 'plainFrom'>>(
  task: T,
  ended: TaskEndedError | null,
): { next: T; reason: string } {
  const block = ended?.block ?? 0;
  if (block === 0)
    return { next: { ...task, isPlain: true }, reason: 'the text is shown without its formatting' };
  if (!ended?.isBlock)
    return { next: { ...task, plainFrom: 1 }, reason: 'all code is shown without colours' };
  const plainBlocks = [...task.plainBlocks, block];
  const reason = `the code of block ${block} is shown without colours`;
  if (plainBlocks.length < MAX_SLOW_BLOCKS) return { next: { ...task, plainBlocks }, reason };
  return {
    next: { ...task, plainBlocks, plainFrom: block },
    reason: `${reason}, and so is all code after it`,
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
