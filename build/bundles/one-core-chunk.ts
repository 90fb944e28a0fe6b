import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Plugin } from 'esbuild';
import { projectRoot, toProjectPath } from '../output-files.ts';
import { CLIENT_ENTRY, PAGE_MODULES } from './entries.ts';

/** Modules loaded on demand, always after the entry. */
const lateModules: ReadonlySet<string> = new Set([
  ...Object.values(PAGE_MODULES),
  'shared/forms/form-submission.ts',
  'client/enhancements/scripts-consent.tsx',
  'client/enhancements/idle-work.ts',
  'client/enhancements/large-picture.ts',
  'client/enhancements/play-film.ts',
  'client/enhancements/preview.ts',
  'shared/ui/rich-text/rich-nodes.tsx',
  'client/navigation/prefetch.ts',
  'client/enhancements/search-suggestions.ts',
  'shared/device/found-device.ts',
]);

/**
 * Keeps the modules that every page needs in one chunk: the home page has 7 scripts instead of 11. esbuild
 * makes a chunk for each set of entries that share a file. So each page module gets all imports of the main
 * entry. Importing the main entry itself would deadlock, because it awaits the page module.
 */
export function oneCoreChunk(): Plugin {
  return {
    name: 'one-core-chunk',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        const module = toProjectPath(path);
        if (!lateModules.has(module) && !module.endsWith('.late.tsx')) return null;
        const [source, entry] = await Promise.all(
          [path, join(projectRoot, CLIENT_ENTRY)].map(file => readFile(file, 'utf8')),
        );
        // Repeat only the site's modules: a package is in the chunk of the modules that use it.
        const forEffect = (entry ?? '').matchAll(/^import '(\.[^']+)';$/gm);
        const withNames = (entry ?? '').matchAll(/^(?:import (?!type\b).*|\}) from '(\.[^']+)';$/gm);
        const imports = [...withNames, ...forEffect].map(
          ([, specifier = '']) => `import '${fromModule(module, specifier)}';\n`,
        );
        return { contents: `${source}\n${imports.join('')}`, loader: 'tsx' };
      });
    },
  };
}

/** Makes a relative path, so that the source map contains no folder of this machine. */
function fromModule(module: string, specifier: string): string {
  return `./${posix.relative(posix.dirname(module), posix.join(posix.dirname(CLIENT_ENTRY), specifier))}`;
}
