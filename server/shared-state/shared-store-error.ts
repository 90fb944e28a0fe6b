/**
 * Why a command has no answer: `skipped`, the store has just failed and is not asked for a moment; `unreachable`, there is no connection; `late`, the
 * time limit has passed; `refused`, the store has answered with an error.
 */
export type SharedStoreFailure = 'skipped' | 'unreachable' | 'late' | 'refused';

/** A command of the shared store has no answer, or an error for an answer. */
export class SharedStoreError extends Error {
  readonly kind: SharedStoreFailure;

  constructor(kind: SharedStoreFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SharedStoreError';
    this.kind = kind;
  }
}
