import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

/** The file that this code runs in: the bundle of the server, or this very file where nothing is bundled. */
const BUNDLE = import.meta.filename;
const POSITION = new RegExp(
  `(?:file://)?${BUNDLE.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}:(\\d+):(\\d+)`,
  'g',
);

/** Undefined: not read yet. Null: there is no map. */
let bundleMap: SourceMap | null | undefined;

/**
 * Replaces positions in the bundle by positions in the sources, such as `server/page/resolve-page.ts:12:3`.
 *
 * Node can do this by `--enable-source-maps`, but reads the map at its start then: 300 ms and 20 MB for a process that may never log an
 * error. This function reads the map with the first error.
 *
 * @param stack an error's stack. Frames of packages and of Node stay as they are.
 */
export function sourceStack(stack: string): string {
  return stack.replace(POSITION, (position, line: string, column: string) => {
    if (bundleMap === undefined) bundleMap = readMap();
    const entry = bundleMap?.findEntry(Number(line) - 1, Number(column) - 1);
    // A frame of a package finds the last position before it, which is in another file.
    if (!entry || !('originalSource' in entry) || entry.generatedLine !== Number(line) - 1) return position;
    const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '');
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function readMap(): SourceMap | null {
  try {
    const payload: SourceMapPayload = JSON.parse(readFileSync(`${BUNDLE}.map`, 'utf8'));
    return new SourceMap(payload);
  } catch {
    return null;
  }
}
