import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { projectRoot } from './output-files.ts';

const require = createRequire(import.meta.url);

const NAMESPACE = 'late-package';
const REGISTER = path.join(projectRoot, 'server/ops/late-packages.ts');

/**
 * The packages that no first page needs, with their functions and classes that may be called later, and those functions that return a step of
 * Express, which calls the package with the first request that it gets.
 */
export const LATE_PACKAGES: Readonly<
  Record<string, { functions?: readonly string[]; steps?: readonly string[] }>
> = {
  // The table of media types takes longer to prepare than the first page to render.
  'mime-types': { functions: ['charset', 'contentType', 'extension', 'lookup'] },
  'body-parser': { steps: ['json', 'raw', 'text', 'urlencoded'] },
  compression: { steps: ['default'] },
  'prom-client': { functions: ['Counter', 'Gauge', 'Histogram', 'Registry', 'collectDefaultMetrics'] },
  yaml: { functions: ['parse'] },
};

/**
 * Warnings about functions of Express that are deprecated. To name its caller each package asks for the line of a call, for which V8 counts
 * the lines of the whole bundle. The development server has them.
 */
const DEPRECATIONS = 'depd';
const NO_DEPRECATIONS = `module.exports = () => {
  const deprecate = () => {};
  deprecate.function = wrapped => wrapped;
  deprecate.property = () => {};
  return deprecate;
};`;

/** Loads packages of the server when they are used for the first time, or by `loadLatePackages` when the first page has been sent. */
export function latePackages(): Plugin {
  return {
    name: 'late-packages',
    setup(build) {
      const names = new Set([...Object.keys(LATE_PACKAGES), DEPRECATIONS]);
      build.onResolve({ filter: /^[a-z-]+$/ }, ({ path: name, namespace }) =>
        names.has(name) && namespace !== NAMESPACE ? { path: name, namespace: NAMESPACE } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path: name }) => ({
        contents: name === DEPRECATIONS ? NO_DEPRECATIONS : standIn(name),
        resolveDir: projectRoot,
      }));
    },
  };
}

/** @returns a CommonJS module with all exports of the package. */
function standIn(name: string): string {
  const { functions = [], steps = [] } = LATE_PACKAGES[name] ?? {};
  const exported: object = require(name);
  const others = Object.keys(exported).filter(key => ![...functions, ...steps].includes(key));
  const own = (key: string) => (key === 'default' ? 'get()' : `get().${key}`);
  const lines = [
    `const get = require(${JSON.stringify(REGISTER)}).latePackage(() => require('${name}'));`,
    'const step = make => (...options) => {',
    '  let made;',
    '  return (req, res, next) => (made ??= make()(...options))(req, res, next);',
    '};',
    ...(steps.includes('default') ? [`module.exports = step(() => get());`] : []),
    ...steps.filter(key => key !== 'default').map(key => `exports.${key} = step(() => ${own(key)});`),
    ...functions.map(
      key =>
        `exports.${key} = function (...values) { return new.target ? new (${own(key)})(...values) : ${own(key)}(...values); };`,
    ),
    ...others.map(
      key => `Object.defineProperty(module.exports, '${key}', { enumerable: true, get: () => ${own(key)} });`,
    ),
  ];
  return lines.join('\n');
}
