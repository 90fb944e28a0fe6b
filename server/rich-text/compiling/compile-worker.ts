import { threadId } from 'node:worker_threads';
import { createMediaPolicy } from '../../addresses/safe-address.ts';
import { giveWayToMainThread } from '../../ops/process/thread-priority.ts';
import type { CutTree } from '../../wire/cut-nodes.ts';
import type { LoseText, TextLoss } from '../../wire/lose-text.ts';
import { highlight } from '../nodes/highlight-code.ts';
import type { CompileAnswer, CompileTask } from './compile-task.ts';
import { compileRichText } from './rich-text-compiler.ts';
import { type TaskClock, taskClock, threadCpuMs } from './watch-task.ts';

giveWayToMainThread();

/** Compiles a text in a thread. `compile-pool.ts` ends a thread that takes too long. */
export default function compileTask(task: CompileTask): CompileAnswer {
  const began = threadCpuMs();
  const clock = taskClock(task.clock);
  clock.begin(threadId);
  const losses: TextLoss[] = [];
  const { tree, size } = compiled(task, clock, (kind, reason) => void losses.push({ kind, reason }));
  return { json: JSON.stringify(tree), size, losses, cpuMs: threadCpuMs() - began };
}

function compiled(task: CompileTask, clock: TaskClock, lose: LoseText): CutTree {
  const { source, isJson, isPlain, media, maxSize, plainBlocks, plainFrom } = task;
  return compileRichText(isJson && !isPlain ? JSON.parse(source) : source, {
    media: createMediaPolicy(media),
    providers: media.embedProviders ?? [],
    isPlain,
    maxSize,
    lose,
    colour(code, language, block) {
      if (block >= plainFrom || plainBlocks.includes(block)) return null;
      clock.beginBlock(block);
      const coloured = highlight(code, language);
      clock.endBlock();
      return coloured;
    },
  });
}
