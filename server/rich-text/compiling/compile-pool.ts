import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import { Piscina } from 'piscina';
import type { RichText } from '../../../shared/content/rich-text.ts';
import { createMediaPolicy, EMBEDDED_ADDRESS } from '../../addresses/safe-address.ts';
import { NamedError } from '../../ops/named-error.ts';
import { builtResults } from '../../ops/process/built-results.ts';
import { cutNodes } from '../../wire/cut-nodes.ts';
import type { TextLoss } from '../../wire/lose-text.ts';
import { readSimpleText } from '../sources/simple-text.ts';
import type { CompileAnswer, CompiledText, CompileTask, TextToCompile } from './compile-task.ts';
import { TaskEndedError, type TaskLimits, taskClock, taskClockMemory, watchTask } from './watch-task.ts';

export type CompilePool = ReturnType<typeof createCompilePool>;

/** The threads cannot start, or were ended. */
class CompilePoolError extends NamedError {
  constructor(cause: unknown) {
    super('No thread compiles rich text', { cause });
  }
}

export interface CompilePoolOptions {
  file: string;
  limits?: TaskLimits;
  /** The heap of a thread. The worst texts that `source-bounds.ts` allows need half of the default. */
  maxHeapMb?: number;
}

/**
 * The limits of a task. The worst real text, 30,000 words with all formatting, takes 0.5 s on a slow machine.
 * `wallMs` covers threads that wait, and Node before 24.6, which cannot report a thread's CPU time.
 */
export const TASK_LIMITS: TaskLimits = { taskMs: 2_000, blockMs: 250, wallMs: 15_000 };

/** More threads would hardly ever work at once. */
const MAX_THREADS = 4;
/** The number of slow code blocks after which a text's other blocks have no colours. */
const MAX_SLOW_BLOCKS = 3;

type Threads = Piscina<CompileTask, CompileAnswer>;

/** The threads, and functions that reject their running tasks when a thread cannot start. */
interface OpenThreads {
  threads: Threads;
  running: Set<(error: unknown) => void>;
}

/**
 * Compiles rich text in threads, because some texts would block the process for minutes.
 * Uses one thread for each core except the first. On a single core, the thread starts only at the first text
 * or at `start`: earlier it would delay the first page.
 */
export function createCompilePool({ file, limits = TASK_LIMITS, maxHeapMb = 192 }: CompilePoolOptions) {
  const cores = availableParallelism();
  const maxThreads = Math.min(MAX_THREADS, Math.max(1, cores - 1));
  // Use this queue, because piscina's queue stops when a thread cannot start.
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
    // End the tasks when a thread cannot start, because piscina would never begin them.
    threads.on('error', error => {
      if (open === opened) open = null;
      for (const fail of opened.running) fail(error);
      void threads.destroy();
    });
    return opened;
  }

  /** @throws TaskEndedError after too much time; another error if the thread has ended. */
  async function run(task: Omit<CompileTask, 'clock'>): Promise<CompileAnswer> {
    if (isClosed) throw new Error('The threads have been ended');
    open ??= openThreads();
    const { threads, running } = open;
    // Create a promise for each task: one shared by all tasks would keep all their results in memory.
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
        // Blame the pool, because even the plain text failed.
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
    /**
     * A text that needs too much time or memory becomes plain paragraphs, and slow code has no colours.
     * @throws CompilePoolError if no thread works for any text.
     */
    compile: async (text: TextToCompile): Promise<CompiledText> =>
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

function simpleText({ source, isJson, isPlain, media, maxSize }: TextToCompile): CompiledText | null {
  const read = isJson || isPlain ? null : readSimpleText(source, createMediaPolicy(media));
  if (read === null) return null;
  const { tree, size, isCut } = cutNodes(read, maxSize);
  return isCut ? null : { tree, size, losses: [], cpuMs: 0 };
}

/** Results that the build has stored. They exist only for texts of the embedded backend. */
const built = builtResults<Pick<CompiledText, 'tree' | 'size'>>('rich-text');

function builtText(text: TextToCompile): CompiledText | null {
  const { maxSize, media, isPlain } = text;
  const known = isPlain || media.contentBaseUrl !== EMBEDDED_ADDRESS ? null : built.of(meaningOf(text));
  if (known === null || known.size.nodes > maxSize.nodes || known.size.characters > maxSize.characters)
    return null;
  return { ...known, losses: [], cpuMs: 0 };
}

/** Reports a result to the build. One with losses is compiled anew at each start, which logs the losses. */
function noted(text: TextToCompile, compiled: CompiledText): CompiledText {
  const { tree, size, losses } = compiled;
  if (losses.length === 0 && !text.isPlain) built.note(meaningOf(text), { tree, size });
  return compiled;
}

/** @returns everything that a text's tree depends on, except its size limit. */
function meaningOf({ source, isJson, media }: TextToCompile): string {
  return JSON.stringify([isJson, media, source]);
}

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
