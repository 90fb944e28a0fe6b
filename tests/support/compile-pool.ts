import path from 'node:path';
import { type CompilePool, createCompilePool } from '../../server/rich-text/compiling/compile-pool.ts';

/** The worker of the project's build. */
export const COMPILE_WORKER = path.resolve(import.meta.dirname, '../../dist/server/compile-worker.js');

let shared: CompilePool | null = null;

/** @returns the threads shared by all sites of this process. They start with the first site. */
export function sharedCompilePool(): CompilePool {
  shared ??= createCompilePool({ file: COMPILE_WORKER });
  return shared;
}
