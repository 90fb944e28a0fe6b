import type { BuildOptions, Metafile } from 'esbuild';
import { BuildError } from './build-error.ts';
import type { BuildMode } from './build-mode.ts';
import { builtinsByRequire } from './builtins-by-require.ts';
import { cssModules } from './css-modules.ts';
import { CLIENT_ENTRY, EARLY_SCRIPT } from './entries.ts';
import { latePackages } from './late-packages.ts';
import { modulesApart } from './modules-apart.ts';
import { oneCoreChunk } from './one-core-chunk.ts';
import { projectRoot } from './output-files.ts';
import { ownSourceMaps } from './own-source-maps.ts';
import { reactAsModule } from './react-as-module.ts';
import { reactRouterProduction } from './react-router-production.ts';

/** Packages that must never reach a browser: too large, useless there, or a sign of a wrong import. A `*` ends a prefix. */
export const SERVER_ONLY_PACKAGES = [
  'express',
  'content-disposition',
  'pino',
  'helmet',
  'compression',
  'lru-cache',
  'unified',
  'remark-*',
  'rehype-*',
  'lowlight',
  'highlight.js',
  'sharp',
  'hast-*',
  'mdast-*',
  'isbot',
  'negotiator',
  'mime-types',
  'proxy-addr',
  'p-queue',
  'piscina',
  'yaml',
  'bullmq',
  'ioredis',
  'pg',
];

/** @returns esbuild's options for the browser: one entry, the early script, and a chunk for each `import()`. */
export function clientBundle(mode: BuildMode) {
  return {
    ...common(mode, 'browser'),
    plugins: [...common(mode, 'browser').plugins, oneCoreChunk()],
    entryPoints: [CLIENT_ENTRY, EARLY_SCRIPT],
    outdir: 'dist/client',
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    splitting: true,
    minify: mode === 'production',
    // The developer tools of a browser read the map of each script. Visitors need none.
    sourcemap: mode === 'development' && 'linked',
    platform: 'browser',
    target: 'es2022',
    legalComments: mode === 'production' ? 'external' : 'none',
  } satisfies BuildOptions;
}

/**
 * @returns esbuild's options for the server: one file with all packages. The process then starts earlier, uses 10 MB less memory, and
 *   needs no node_modules. The file is not minified, so that stack traces can be read. In production the files are CommonJS, because V8
 *   takes the code of a script from a cache, but not that of a module's functions (`server/ops/code-cache.ts`).
 */
export function serverBundle(mode: BuildMode) {
  return {
    ...common(mode, 'server'),
    ...(mode === 'production' ? COMMON_JS : { banner: { js: COMMON_JS_GLOBALS } }),
    entryPoints: {
      site: 'server/main.ts',
      ...(mode === 'production'
        ? {
            main: 'server/load-site.ts',
            'compile-worker': 'server/content/rich-text/load-compiler.ts',
            compiler: 'server/content/rich-text/compile-worker.ts',
          }
        : { 'compile-worker': 'server/content/rich-text/compile-worker.ts' }),
      // The commands of `npm run outbox` and `npm run doctor` are built beside the server, so that the container image has them, too.
      outbox: 'server/outbox/outbox-command.ts',
      doctor: 'server/doctor/doctor-command.ts',
      // piscina starts its threads with the file `worker.js` of its own folder, which is this folder once piscina is bundled.
      worker: 'node_modules/piscina/dist/worker.js',
      // The thread of the search's index (`server/search/search-thread.ts`).
      'search-worker': 'server/search/search-worker.ts',
      // The process that scales pictures (`server/media/scaler.ts`).
      'scaling-process': 'server/media/scaling-process.ts',
      // The client of the shared store, which is loaded only where SHARED_URL is set.
      'redis-client': 'server/shared-state/redis-client.ts',
      // Packages that are loaded only where OUTBOX_URL is set.
      'queue-engine': 'server/outbox/queue/queue-engine.ts',
    },
    outdir: 'dist/server',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
    // In development Node loads the packages, which takes 130 ms. Bundling them after each save would take 300 ms.
    packages: mode === 'production' ? 'bundle' : 'external',
    // sharp is native code and is copied beside the bundle (`native-packages.ts`). piscina asks for the other one only to lower the priority
    // of its threads, which the site does not do.
    // msgpackr does without its native part, and pg without libpq. BullMQ asks for the client of Valkey only where it is given one.
    external: ['sharp', '@napi-rs/nice', 'msgpackr-extract', 'pg-native', '@valkey/valkey-glide'],
    plugins: [
      ...common(mode, 'server').plugins,
      ...(mode === 'production' ? [latePackages()] : [builtinsByRequire()]),
      ...[modulesApart(['redis-client', 'queue-engine']), ownSourceMaps()],
    ],
    // In production `server/ops/source-stack.ts` reads the map; in development Node does, by the comment in the bundle.
    sourcemap: mode === 'production' ? 'external' : 'linked',
    sourcesContent: mode === 'development',
  } satisfies BuildOptions;
}

/** The production format. `__filename` and `__dirname` are arguments of a CommonJS script. */
const COMMON_JS = {
  format: 'cjs',
  // `loadBundle` reads bytes as characters.
  charset: 'ascii',
  // A script that `loadBundle` compiles has `require` and no `import()`.
  supported: { 'dynamic-import': false },
  define: {
    ...definitions('production', 'server'),
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
} as const;

/** Defines `require`, `__filename` and `__dirname` in the bundle, because CommonJS packages such as Express use them. */
const COMMON_JS_GLOBALS = [
  `import { createRequire as __createRequire } from 'node:module';`,
  'const require = __createRequire(import.meta.url);',
  'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join(' ');

function common(mode: BuildMode, side: 'browser' | 'server') {
  return {
    absWorkingDir: projectRoot,
    bundle: true,
    format: 'esm',
    charset: 'utf8',
    // The build writes its files only after all parts have succeeded.
    write: false,
    metafile: true,
    logLevel: 'silent',
    define: definitions(mode, side),
    plugins:
      mode === 'production' ? [cssModules(), reactAsModule(), reactRouterProduction()] : [cssModules()],
  } satisfies BuildOptions;
}

function definitions(mode: BuildMode, side: 'browser' | 'server') {
  return {
    'process.env.NODE_ENV': JSON.stringify(mode),
    __DEV__: String(mode === 'development'),
    __BROWSER__: String(side === 'browser'),
  };
}

/**
 * Looks for files in the browser's bundle that do not belong there.
 *
 * @throws BuildError with each of them and the file that imports it.
 */
export function checkClientInputs(metafile: Metafile): void {
  reportInputs(metafile, 'must not reach the browser', isServerOnly);
}

/**
 * Looks for development builds of React and React Router in a bundle.
 *
 * @throws BuildError with each of them and the file that imports it.
 */
export function checkProductionInputs(metafile: Metafile): void {
  reportInputs(metafile, 'is a development build', isDevelopmentBuild);
}

function reportInputs(metafile: Metafile, complaint: string, matches: (input: string) => boolean): void {
  const errors = Object.entries(metafile.inputs)
    // Report only the first wrong import of a chain: skip importers that are forbidden themselves.
    .filter(([importer]) => !matches(importer))
    .flatMap(([importer, { imports }]) => imports.map(({ path }) => ({ importer, path })))
    .filter(({ path }) => matches(path))
    .map(({ importer, path }) => ({ text: `${path} ${complaint}`, location: { file: importer } }));
  if (errors.length > 0) throw new BuildError(errors);
}

function isServerOnly(input: string): boolean {
  if (input.startsWith('server/')) return true;
  const name = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
  if (!name) return false;
  return SERVER_ONLY_PACKAGES.some(rule =>
    rule.endsWith('*') ? name.startsWith(rule.slice(0, -1)) : name === rule,
  );
}

function isDevelopmentBuild(input: string): boolean {
  return /\/react-router\/dist\/development\/|\.development\.m?js$/.test(input);
}
