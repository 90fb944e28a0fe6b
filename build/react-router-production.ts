import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Calls that log a warning. React Router's production build still has them, and their texts are about a kilobyte. */
const WARNING = /^([ \t]*)(warning|warningOnce|warnOnce)\(/gm;

/**
 * The names that developer tools show for React Router's components and contexts, and the calls that create components. Both keep components
 * in the bundle that the site does not use, such as `Form` and `NavLink`: 2 kB.
 */
const DISPLAY_NAME = /^\w+\.displayName = "\w+";$/gm;
const FORWARDED = /^(var \w+ = )(React\d*\.forwardRef\()/gm;

/** The function that reports a mistake in the use of React Router. Without its parameter terser drops the texts of all calls: two kilobytes. */
const INVARIANT = '(value, message) {\n  if (value === false || value === null';
const SHORT_INVARIANT =
  '(value) {\n  const message = "React Router is used in a wrong way";\n  if (value === false || value === null';

/**
 * Resolves React Router to its production build. Its package.json names the development build under every condition, and a
 * CommonJS file chooses the production build only at run time, where no bundler can follow.
 */
export function reactRouterProduction(): Plugin {
  return {
    name: 'react-router-production',
    setup(build) {
      const production = join(dirname(require.resolve('react-router')), '../production');
      const modules = new Map([
        // The server's bundle has the ES module, too: the CommonJS build would bring a second copy of React Router.
        ['react-router-dom', join(dirname(require.resolve('react-router-dom')), 'index.mjs')],
        ['react-router', join(production, 'index.mjs')],
        ['react-router/dom', join(production, 'dom-export.mjs')],
      ]);
      build.onResolve({ filter: /^react-router(?:-dom|\/dom)?$/ }, ({ path: specifier }) => {
        const path = modules.get(specifier);
        // esbuild does not read package.json for a path that a plugin resolves, so `sideEffects` is repeated here.
        return path ? { path, sideEffects: false } : null;
      });
      build.onLoad({ filter: /[\\/]react-router[\\/]dist[\\/]production[\\/].*\.mjs$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        return {
          contents: source
            .replaceAll(WARNING, '$1/* @__PURE__ */ $2(')
            .replaceAll(DISPLAY_NAME, '')
            .replaceAll(FORWARDED, '$1/* @__PURE__ */ $2')
            .replaceAll(INVARIANT, SHORT_INVARIANT),
          loader: 'js',
        };
      });
    },
  };
}
