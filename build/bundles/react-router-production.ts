import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Calls that log a warning. The production build keeps them, with a kilobyte of texts. */
const WARNING = /^([ \t]*)(warning|warningOnce|warnOnce)\(/gm;

/** Statements that keep unused components in the bundle, such as `Form` and `NavLink`: 2 kB. */
const DISPLAY_NAME = /^\w+\.displayName = "\w+";$/gm;
const FORWARDED = /^(var \w+ = )(React\d*\.forwardRef\()/gm;

/** The check of React Router's usage, without its text. This lets terser drop 2 kB of texts. */
const INVARIANT = '(value, message) {\n  if (value === false || value === null';
const SHORT_INVARIANT =
  '(value) {\n  const message = "React Router is used in a wrong way";\n  if (value === false || value === null';

/** Functions of features that the site does not use, such as tracing and server components: 1.3 kB. */
const UNUSED = [
  'instrumentClientSideRouter',
  'getRouteInstrumentationUpdates',
  'RSCErrorHandler',
  'deserializeErrors',
  'DefaultErrorComponent',
];

/** @returns the source with empty functions. @throws if a version of React Router lacks one of them. */
function withoutUnused(source: string): string {
  if (!source.includes('\nfunction createRouter(')) return source;
  return UNUSED.reduce((left, name) => {
    const from = left.indexOf(`\nfunction ${name}(`);
    const to = left.indexOf('\n}\n', from);
    if (from < 0 || to < 0) throw new Error(`React Router has no function ${name}`);
    return `${left.slice(0, from)}\nfunction ${name}() {${left.slice(to)}`;
  }, source);
}

/** Uses the production build, although React Router's package.json always names the development build. */
export function reactRouterProduction(): Plugin {
  return {
    name: 'react-router-production',
    setup(build) {
      const production = join(dirname(require.resolve('react-router')), '../production');
      const modules = new Map([
        // Use the ES module, because CommonJS would add a second React Router to the server's bundle.
        ['react-router-dom', join(dirname(require.resolve('react-router-dom')), 'index.mjs')],
        ['react-router', join(production, 'index.mjs')],
        ['react-router/dom', join(production, 'dom-export.mjs')],
      ]);
      build.onResolve({ filter: /^react-router(?:-dom|\/dom)?$/ }, ({ path: specifier }) => {
        const path = modules.get(specifier);
        // Repeat `sideEffects`, because esbuild does not read it for a path from a plugin.
        return path ? { path, sideEffects: false } : null;
      });
      build.onLoad({ filter: /[\\/]react-router[\\/]dist[\\/]production[\\/]/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        return {
          contents: withoutUnused(source)
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
