import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Makes React an ES module: as CommonJS, each use of a hook would go through a getter. */
export function reactAsModule(): Plugin {
  return {
    name: 'react-as-module',
    setup(build) {
      build.onResolve({ filter: /^react(?:\/jsx-runtime)?$/ }, ({ path, kind, namespace }) =>
        kind === 'import-statement' && namespace !== 'react-as-module'
          ? { path, namespace: 'react-as-module' }
          : null,
      );
      build.onLoad({ filter: /.*/, namespace: 'react-as-module' }, ({ path }) => {
        const names = Object.keys(require(path)).filter(name => /^[a-z_$][\w$]*$/i.test(name));
        return {
          contents: `const module = require('${path}');\nexport default module;\n${names.map(name => `export const ${name} = module.${name};`).join('\n')}`,
          resolveDir: import.meta.dirname,
        };
      });
    },
  };
}

/**
 * Loads a dynamic import of these modules from a file beside the bundle, for which the build has an entry.
 */
export function modulesApart(names: readonly string[]): Plugin {
  return {
    name: 'modules-apart',
    setup(build) {
      for (const name of names) {
        build.onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, ({ kind }) =>
          kind === 'dynamic-import' ? { path: `./${name}.js`, external: true } : undefined,
        );
      }
    },
  };
}

/** esbuild maps nothing of a file with this map. */
const EMPTY_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64');

/** Leaves packages out of source maps. The last plugin: esbuild asks no further one for a file's contents. */
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
