import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Calls that log a warning. The production build still has them, with a kilobyte of texts. */
const WARNING = /^([ \t]*)(warning|warningOnce|warnOnce)\(/gm;

/** Both keep components in the bundle that the site does not use, such as `Form` and `NavLink`: 2 kB. */
const DISPLAY_NAME = /^\w+\.displayName = "\w+";$/gm;
const FORWARDED = /^(var \w+ = )(React\d*\.forwardRef\()/gm;

/** Reports wrong uses of React Router. Without its parameter terser drops the texts of all calls: 2 kB. */
const INVARIANT = '(value, message) {\n  if (value === false || value === null';
const SHORT_INVARIANT =
  '(value) {\n  const message = "React Router is used in a wrong way";\n  if (value === false || value === null';

/** React Router's package.json names the development build under every condition. */
export function reactRouterProduction(): Plugin {
  return {
    name: 'react-router-production',
    setup(build) {
      const production = join(dirname(require.resolve('react-router')), '../production');
      const modules = new Map([
        // The CommonJS build would bring a second copy of React Router into the server's bundle.
        ['react-router-dom', join(dirname(require.resolve('react-router-dom')), 'index.mjs')],
        ['react-router', join(production, 'index.mjs')],
        ['react-router/dom', join(production, 'dom-export.mjs')],
      ]);
      build.onResolve({ filter: /^react-router(?:-dom|\/dom)?$/ }, ({ path: specifier }) => {
        const path = modules.get(specifier);
        // esbuild does not read `sideEffects` of package.json for a path that a plugin resolves.
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
