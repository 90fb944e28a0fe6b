import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PartialMessage } from 'esbuild';
import { projectRoot } from '../output-files.ts';

const TSC = join(projectRoot, 'node_modules/typescript/bin/tsc');
const MISTAKE = /^(.+)\((\d+),(\d+)\): error (TS\d+: .+)$/gm;

/** Checks types in the background, at the lowest priority. */
export class Types {
  readonly #onMistakes: (mistakes: readonly PartialMessage[]) => void;
  #running: ChildProcess | null = null;

  constructor(onMistakes: (mistakes: readonly PartialMessage[]) => void) {
    this.#onMistakes = onMistakes;
  }

  /** Starts a check, and stops an unfinished one. */
  async check(): Promise<void> {
    this.stop();
    const args = ['--pretty', 'false', '--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo'];
    const child = spawn(process.execPath, [TSC, ...args], {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#running = child;
    if (child.pid) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
    const output = await text(child.stdout);
    if (this.#running !== child) return;
    this.#onMistakes(Array.from(output.matchAll(MISTAKE), mistakeOf));
  }

  stop(): void {
    this.#running?.kill('SIGKILL');
    this.#running = null;
  }
}

function mistakeOf([, file = '', line, column, text = '']: readonly string[]): PartialMessage {
  return { text, location: { file, line: Number(line), column: Number(column) - 1 } };
}
