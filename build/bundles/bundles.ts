import type { BuildOptions, Metafile } from 'esbuild';
import { chosenBrand } from '../brand/brand.ts';
import { brandLogo } from '../brand/logo.ts';
import { BuildError } from '../build-error.ts';
import { type BuildMode, projectRoot } from '../output-files.ts';
import { cssModules } from '../styles/css-modules.ts';
import { addressOfLate } from '../styles/stylesheet.ts';
import { CLIENT_ENTRY, EARLY_SCRIPT } from './entries.ts';
import { oneCoreChunk } from './one-core-chunk.ts';
import { httpWithoutUndici, modulesApart, ownSourceMaps, reactAsModule } from './plugins.ts';
import { reactRouterProduction } from './react-router-production.ts';

/** The packages that may reach a browser. Others must not. */
export const BROWSER_PACKAGES = [
  ...['perfect-scrollbar', 'react', 'react-dom', 'react-router', 'scheduler', 'web-vitals', 'zod'],
  // Dependencies of React Router, which add no bytes to the bundle.
  ...['react-router-dom', 'cookie', 'set-cookie-parser'],
  // The tools of `npm run dev`.
  ...['vite', '@vitejs/plugin-react'],
];

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
    sourcemap: mode === 'development' && 'linked',
    platform: 'browser',
    target: 'es2022',
    legalComments: mode === 'production' ? 'external' : 'none',
  } satisfies BuildOptions;
}

/** Bundles all packages into one file, unminified so that stack traces are readable. */
export function serverBundle(mode: BuildMode) {
  return {
    ...common(mode, 'server'),
    banner: { js: COMMON_JS_GLOBALS },
    entryPoints: {
      site: 'server/main.ts',
      // Include commands such as `doctor`, because the container image has no sources.
      ...(mode === 'production'
        ? { main: 'server/load-site.ts', ...COMMANDS, ...COMPILE_WORKER, ...PROGRAMS }
        : {}),
    },
    outdir: 'dist/server',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
    // Let Node load packages in development, because bundling after each save is slower.
    packages: mode === 'production' ? 'bundle' : 'external',
    // sharp is native and copied beside the bundle (`copied-files.ts`). The others are optional.
    external: ['sharp', '@napi-rs/nice', 'msgpackr-extract', 'pg-native', '@valkey/valkey-glide'],
    plugins: [
      ...common(mode, 'server').plugins,
      modulesApart(['redis-client', 'queue-engine', 'otel-tracing']),
      httpWithoutUndici(),
      ownSourceMaps(),
    ],
    // `server/ops/log.ts` reads the map. Node reads it in development after a failed start.
    sourcemap: mode === 'production' ? 'external' : 'linked',
    sourcesContent: false,
  } satisfies BuildOptions;
}

/** Bundles workers and child processes in development: separately, because few edits change them. */
export function programBundles() {
  const bundle = serverBundle('development');
  return [
    { ...bundle, entryPoints: PROGRAMS },
    // Bundle the packages of the rich-text thread, because hundreds of files load slowly.
    { ...bundle, entryPoints: COMPILE_WORKER, packages: 'bundle', sourcemap: false },
  ] satisfies BuildOptions[];
}

const COMPILE_WORKER = { 'compile-worker': 'server/rich-text/compiling/compile-worker.ts' };

const PROGRAMS = {
  // piscina starts `worker.js` in its own folder, which is the bundle's folder.
  worker: 'node_modules/piscina/dist/worker.js',
  'search-worker': 'server/search/index/search-worker.ts',
  'scaling-process': 'server/media/scaling/scaling-process.ts',
  // The next three are loaded only if their environment variables are set.
  'redis-client': 'server/shared-store/redis-client.ts',
  'queue-engine': 'server/outbox/queue/queue-engine.ts',
  'otel-tracing': 'server/tracing/otel-tracing.ts',
};

const COMMANDS = {
  data: 'server/data/data-command.ts',
  outbox: 'server/data/data-command.ts',
  doctor: 'server/doctor/doctor-command.ts',
};

/** Names that CommonJS packages such as Express use. */
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
    write: false,
    metafile: true,
    logLevel: 'silent',
    define: definitions(mode, side),
    plugins: [
      cssModules(path => addressOfLate(path, mode)),
      chosenBrand(),
      brandLogo(),
      ...(mode === 'production' ? [reactAsModule(), reactRouterProduction()] : []),
    ],
  } satisfies BuildOptions;
}

function definitions(mode: BuildMode, side: 'browser' | 'server') {
  return {
    'process.env.NODE_ENV': JSON.stringify(mode),
    __DEV__: String(mode === 'development'),
    __BROWSER__: String(side === 'browser'),
  };
}

/** @throws BuildError with each forbidden file that an allowed file imports, and its importer. */
export function checkClientInputs(metafile: Metafile): void {
  reportInputs(metafile, 'must not reach the browser', isServerOnly);
}

/** @throws BuildError with each development build of React or React Router, and its importer. */
export function checkProductionInputs(metafile: Metafile): void {
  reportInputs(metafile, 'is a development build', isDevelopmentBuild);
}

function reportInputs(metafile: Metafile, complaint: string, matches: (input: string) => boolean): void {
  const errors = Object.entries(metafile.inputs)
    // Report the first wrong import of a chain, without importers that are forbidden themselves.
    .filter(([importer]) => !matches(importer))
    .flatMap(([importer, { imports }]) => imports.map(({ path }) => ({ importer, path })))
    .filter(({ path }) => matches(path))
    .map(({ importer, path }) => ({ text: `${path} ${complaint}`, location: { file: importer } }));
  if (errors.length > 0) throw new BuildError(errors);
}

export function isServerOnly(input: string): boolean {
  if (input.startsWith('server/') || input.endsWith('.server.ts')) return true;
  const name = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
  return name !== undefined && !BROWSER_PACKAGES.includes(name);
}

function isDevelopmentBuild(input: string): boolean {
  return /\/react-router\/dist\/development\/|\.development\.m?js$/.test(input);
}
