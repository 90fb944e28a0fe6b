import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** A source map without a mapping. esbuild then maps nothing of the file. */
const EMPTY_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64');

/**
 * Leaves packages out of source maps. Three quarters of the server's map would describe packages, and Node keeps the map in memory.
 *
 * This plugin has to be the last one: esbuild asks no further plugin for the contents of a file.
 */
export function ownSourceMaps(): Plugin {
  return {
    name: 'own-source-maps',
    setup(build) {
      build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
        contents: `${await readFile(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}`,
        loader: 'js',
      }));
    },
  };
}
