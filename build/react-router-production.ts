import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Its production build still carries the sentences of its warnings, a kilobyte of them, for developers who read the console. */
const WARNING = /^(\s*)(warning|warningOnce|warnOnce)\(/gm;

/**
 * Resolves React Router to its production build. Its package.json names the development build under every condition
 * and picks the other only at run time, in a CommonJS file that no bundler can see through.
 */
export function reactRouterProduction(): Plugin {
  return {
    name: 'react-router-production',
    setup(build) {
      const production = join(dirname(require.resolve('react-router')), '../production');
      const modules = new Map([
        // As an ES module on the server too: its CommonJS build would bring a second copy of React Router with it.
        ['react-router-dom', join(dirname(require.resolve('react-router-dom')), 'index.mjs')],
        ['react-router', join(production, 'index.mjs')],
        ['react-router/dom', join(production, 'dom-export.mjs')],
      ]);
      build.onResolve({ filter: /^react-router(?:-dom|\/dom)?$/ }, ({ path: specifier }) => {
        const path = modules.get(specifier);
        // What a plugin resolves is not looked up in package.json, which says the same of side effects.
        return path ? { path, sideEffects: false } : null;
      });
      build.onLoad({ filter: /[\\/]react-router[\\/]dist[\\/]production[\\/].*\.mjs$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        return { contents: source.replaceAll(WARNING, '$1/* @__PURE__ */ $2('), loader: 'js' };
      });
    },
  };
}
