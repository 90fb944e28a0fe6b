import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join, resolve } from 'node:path';
import type { PartialMessage } from 'esbuild';
import type { HotPayload, ViteDevServer } from 'vite';
import { projectRoot } from '../output-files.ts';
import { BASE } from './names.ts';
import type { LogEntry } from './site-process.ts';

export type MistakeKind = 'build' | 'scripts' | 'types' | 'render' | 'browser';

type Place = NonNullable<PartialMessage['location']>;

const FAILURES: readonly string[] = [
  'http-request-failed',
  'page-error-page-failed',
  'start-failed',
  'process-uncaught-error',
  'process-ended',
];

/** The message that removes the overlay. */
const NO_UPDATE: HotPayload = { type: 'update', updates: [] };

/** The present mistakes. Open pages show the first in an overlay, whose file links open the editor. */
export class Mistakes {
  readonly #vite: ViteDevServer;
  readonly #found: Record<MistakeKind, readonly PartialMessage[]> = {
    build: [],
    scripts: [],
    // Show the server's failure before a browser's report, which may come late from a replaced page.
    render: [],
    browser: [],
    types: [],
  };

  constructor(vite: ViteDevServer) {
    this.#vite = vite;
    // Vite's client reloads a page at the first update if it has an overlay, so send an update before it.
    vite.ws.on('connection', () => {
      vite.ws.send(NO_UPDATE);
      this.showAgain();
    });
  }

  set(kind: MistakeKind, found: readonly PartialMessage[]): void {
    this.#found[kind] = found;
    this.show();
  }

  /** Removes the errors of pages after a change, because it may have fixed them. */
  forgetPages(): void {
    this.#found.browser = [];
    this.set('render', []);
  }

  show(): void {
    if (!this.showAgain()) this.#vite.ws.send(NO_UPDATE);
  }

  /** @returns false if there is no mistake. */
  showAgain(): boolean {
    const all = Object.entries(this.#found).flatMap(([kind, found]) => found.map(one => ({ kind, ...one })));
    const [first] = all;
    if (first) this.#vite.ws.send(overlay(first.kind, all));
    return first !== undefined;
  }

  /** Shows a failure that the server has logged: its own, or one that a browser has reported. */
  read({ code, err, clientError }: LogEntry): void {
    if (code === 'browser-error') {
      // The cast is safe: `server/endpoints/browser-reports.ts` has checked the report.
      const { message, stack } = clientError as { message: string; stack: string };
      this.set('browser', [{ text: message, location: this.#placeInBrowser(stack) }]);
    } else if (FAILURES.includes(code)) {
      const { message = code, stack = '' } = err ?? {};
      this.set('render', [{ text: message, location: placeIn(stack) }]);
    }
  }

  #placeInBrowser(stack: string): Place | null {
    for (const { address, line, column } of framesOf(stack)) {
      const file = URL.parse(address)?.pathname ?? '';
      if (!file.startsWith(BASE)) continue;
      const path = file.slice(BASE.length);
      const [module] = this.#vite.moduleGraph.getModulesByFile(join(projectRoot, path)) ?? [];
      const map = module?.transformResult?.map;
      if (!map || !('mappings' in map)) continue;
      // The cast is safe: Vite's map has the fields of version 3.
      const found = new SourceMap(map as unknown as SourceMapPayload).findEntry(line - 1, column - 1);
      if ('originalLine' in found)
        return { file: path, line: found.originalLine + 1, column: found.originalColumn };
    }
    return null;
  }
}

function placeIn(stack: string): Place | null {
  for (const { address, line, column } of framesOf(stack)) {
    const file = address.replace('file://', '').replace(`${projectRoot}/`, '');
    if (/^(?:server|client|shared|site)\//.test(file)) return { file, line, column: column - 1 };
  }
  return null;
}

function* framesOf(stack: string) {
  for (const word of stack.split(/[\s()]/)) {
    const parts = word.split(':');
    const [line, column] = parts.splice(-2).map(Number);
    if (line && column) yield { address: parts.join(':'), line, column };
  }
}

function overlay(kind: string, all: readonly PartialMessage[]): HotPayload {
  const [{ text = '', location } = {}] = all;
  // List each mistake once, because it may be in both bundles.
  const [, ...others] = new Set(all.map(lineOf));
  const err = { plugin: kind, message: text, stack: others.join('\n') };
  if (!location?.file) return { type: 'error', err };
  const { line = 1, column = 0 } = location;
  const file = resolve(projectRoot, location.file);
  const frame = `${line} | ${sourceLine(file, line)}\n${' '.repeat(`${line}`.length)} | ${' '.repeat(column)}^\n`;
  return { type: 'error', err: { ...err, id: file, loc: { file, line, column: column + 1 }, frame } };
}

function lineOf({ text = '', location }: PartialMessage): string {
  if (!location?.file) return text;
  return `${resolve(projectRoot, location.file)}:${location.line ?? 1}:${(location.column ?? 0) + 1} ${text}`;
}

function sourceLine(file: string, line: number): string {
  try {
    return readFileSync(file, 'utf8').split('\n')[line - 1] ?? '';
  } catch {
    return '';
  }
}
