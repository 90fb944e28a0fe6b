import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Plugin } from 'esbuild';
import { CLIENT_ENTRY, PAGE_MODULES } from './entries.ts';
import { projectRoot, toProjectPath } from './output-files.ts';

/** Modules that are loaded on demand, always after the entry. */
const lateModules: ReadonlySet<string> = new Set([
  ...Object.values(PAGE_MODULES),
  'shared/blocks/form-submission.ts',
  'client/scripts-consent.tsx',
  'client/idle-work.ts',
  'client/large-picture.ts',
  'client/play-film.ts',
  'shared/ui/rich-nodes.tsx',
  'client/prefetch.ts',
  'client/search-suggestions.ts',
  'shared/device/found-device.ts',
]);

/**
 * Keeps the modules that every page needs in one chunk. esbuild makes a chunk for each set of entries that share a file, so
 * it splits the entry's modules by the pages that also use them: the home page would load 11 scripts, most of them with a few
 * hundred bytes. A page is loaded after the entry, so this plugin lets each page import all modules that the entry imports. Then
 * every set is the same, and the home page loads 7 scripts with the early one.
 *
 * The plugin repeats the entry's imports and does not import the entry, because the entry waits for the page's chunk and
 * the two would wait for each other.
 */
export function oneCoreChunk(): Plugin {
  return {
    name: 'one-core-chunk',
    setup(build) {
      build.onLoad(
        {
          filter:
            /-(?:page|consent|nodes)\.tsx$|(?:form-submission|idle-work|prefetch|large-picture|play-film|search-suggestions|found-device)\.ts$/,
        },
        async ({ path }) => {
          const module = toProjectPath(path);
          if (!lateModules.has(module)) return null;
          const [source, entry] = await Promise.all(
            [path, join(projectRoot, CLIENT_ENTRY)].map(file => readFile(file, 'utf8')),
          );
          // Only our own modules are repeated: a package is in the chunk of the modules that use it.
          const forEffect = (entry ?? '').matchAll(/^import '(\.[^']+)';$/gm);
          const withNames = (entry ?? '').matchAll(/^import (?!type\b)[^;']* from '(\.[^']+)';$/gm);
          const imports = [...withNames, ...forEffect].map(
            ([, specifier = '']) => `import '${fromModule(module, specifier)}';\n`,
          );
          return { contents: `${source}\n${imports.join('')}`, loader: 'tsx' };
        },
      );
    },
  };
}

/** @returns a relative specifier. An absolute path would put a folder of this machine into the source map. */
function fromModule(module: string, specifier: string): string {
  return `./${posix.relative(posix.dirname(module), posix.join(posix.dirname(CLIENT_ENTRY), specifier))}`;
}
