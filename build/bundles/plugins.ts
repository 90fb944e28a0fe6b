import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Makes React an ES module, because CommonJS would call a getter for each use of a hook. */
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

/** Avoids an import of `node:http`, which reads every export: `WebSocket` loads undici, 50 ms a start. */
export function httpWithoutUndici(): Plugin {
  return {
    name: 'http-without-undici',
    setup(build) {
      build.onResolve({ filter: /^node:http$/ }, ({ path, kind }) =>
        kind === 'import-statement' ? { path, namespace: 'http-without-undici' } : null,
      );
      build.onLoad({ filter: /.*/, namespace: 'http-without-undici' }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule('${path}');`,
      }));
    },
  };
}

/** Loads dynamic imports of these modules from files beside the bundle. Each needs a build entry. */
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

/** An empty map, so that esbuild maps nothing of the file. */
const EMPTY_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64');

/** Leaves packages out of source maps. List it last: after it has loaded a file, esbuild asks no plugin. */
export function ownSourceMaps(): Plugin {
  return {
    name: 'own-source-maps',
    setup(build) {
      // All JavaScript files belong to packages, because the site's sources are TypeScript.
      build.onLoad({ filter: /\.[cm]?js$/ }, async ({ path }) => ({
        contents: `${await readFile(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}`,
        loader: 'js',
      }));
    },
  };
}
