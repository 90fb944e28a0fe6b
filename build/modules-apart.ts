import type { Plugin } from 'esbuild';

/**
 * Leaves modules out of the server's bundle: `import('./queue-engine.ts')` loads the file that is built from it, beside the bundle. A process that
 * does not need them neither reads nor compiles them.
 *
 * @param names of the modules, without ending. The build has an entry of the same name for each.
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
