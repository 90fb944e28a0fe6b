import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Plugin } from 'esbuild';
import { CLIENT_ENTRY, PAGE_MODULES } from './entries.ts';
import { projectRoot, toProjectPath } from './output-files.ts';

/** Modules that are loaded when they are needed, and never before the entry. */
const lateModules: ReadonlySet<string> = new Set([
  ...Object.values(PAGE_MODULES),
  'shared/blocks/form-submission.ts',
  'client/scripts-consent.tsx',
]);

/**
 * Keeps what every page needs in one chunk. esbuild makes a chunk for each set of entries that share a file, so what the
 * entry uses is scattered by which pages happen to use it too: 11 scripts for the home page, most of them a few hundred
 * bytes. A page comes only after the entry, so it may as well import all modules that the entry imports: then the set is
 * the same for each of them, and the home page has 5 scripts.
 *
 * The entry's imports are repeated, not the entry itself: it waits for a page's chunk, which would then wait for the entry.
 */
export function oneCoreChunk(): Plugin {
  return {
    name: 'one-core-chunk',
    setup(build) {
      build.onLoad({ filter: /-(?:page|consent)\.tsx$|form-submission\.ts$/ }, async ({ path }) => {
        const module = toProjectPath(path);
        if (!lateModules.has(module)) return null;
        const [source, entry] = await Promise.all(
          [path, join(projectRoot, CLIENT_ENTRY)].map(file => readFile(file, 'utf8')),
        );
        // Packages come along with the modules that use them.
        const own = (entry ?? '').matchAll(/^import (?!type\b)[^;']* from '(\.[^']+)';$/gm);
        const imports = Array.from(
          own,
          ([, specifier = '']) => `import '${fromModule(module, specifier)}';\n`,
        );
        return { contents: `${source}\n${imports.join('')}`, loader: 'tsx' };
      });
    },
  };
}

/** Relative, as in the source: these lines stand in the source map, where a path of this machine has no place. */
function fromModule(module: string, specifier: string): string {
  return `./${posix.relative(posix.dirname(module), posix.join(posix.dirname(CLIENT_ENTRY), specifier))}`;
}
