import type { WorkName } from './search-types.ts';

/** A function of `SearchWork` with its arguments. */
export interface SearchTask {
  readonly id: number;
  readonly name: WorkName;
  readonly values: readonly unknown[];
}

export type SearchTaskResult =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };
