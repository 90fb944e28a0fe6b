import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'builtin';

/**
 * Takes Node's own modules by `require`, also where they are imported: for an import Node reads all that a module exports, and
 * among what `node:http` exports is a whole client that is only loaded when it is read. A server starts 20 to 30 ms earlier.
 */
export function builtinsByRequire(): Plugin {
  return {
    name: 'builtins-by-require',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
        kind === 'import-statement' && isBuiltin(path) ? { path, namespace: NAMESPACE } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
      }));
    },
  };
}
