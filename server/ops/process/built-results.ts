import { channel } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';

export interface NotedResult {
  readonly kind: ResultKind;
  readonly text: string;
  readonly json: string;
}

export const NOTED_RESULTS = 'site:built-results';
export const RESULTS_FILE = 'built-results.json';

/**
 * @param server the folder of the bundle.
 * @returns Node's settings for the compile cache. The build fills the cache beside the bundle, so that a
 * read-only image has it too. `portable` keeps the cache valid when the build is copied to another folder.
 */
export function compileCache(server: string): { directory: string; portable: true } {
  return { directory: path.join(server, 'compile-cache'), portable: true };
}

const RESULT_KINDS = ['front-matter', 'rich-text'] as const;
type ResultKind = (typeof RESULT_KINDS)[number];

const noted = channel(NOTED_RESULTS);
let kept: Map<string, string> | null = null;

/**
 * Results of a slow function, which the build has stored by input text (decision 097). The first call of `of`
 * reads the file.
 */
export function builtResults<T>(kind: ResultKind) {
  return {
    /** @returns a new object; null for a text that the build did not have. */
    of(text: string): T | null {
      kept ??= readResults(path.join(import.meta.dirname, RESULTS_FILE));
      const json = kept.get(keyOf(kind, text));
      return json === undefined ? null : JSON.parse(json);
    },
    /** Reports a result to the build. In this process, `of` does not return it. */
    note(text: string, result: T): void {
      if (noted.hasSubscribers)
        noted.publish({ kind, text, json: JSON.stringify(result) } satisfies NotedResult);
    },
  };
}

export function resultsFile(results: readonly NotedResult[]): string {
  const json = JSON.stringify(results.map(({ kind, text, json }) => [keyOf(kind, text), json]));
  return `${crc32(json)}\n${json}`;
}

export function readResults(file: string): Map<string, string> {
  try {
    const content = readFileSync(file, 'utf8');
    const end = content.indexOf('\n');
    const json = content.slice(end + 1);
    return new Map(content.slice(0, end) === String(crc32(json)) ? JSON.parse(json) : []);
  } catch {
    return new Map();
  }
}

function keyOf(kind: ResultKind, text: string): string {
  return `${kind} ${text}`;
}
