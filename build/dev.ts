import './end-with-parent.ts';
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { context, type Metafile } from 'esbuild';
import { readConfig } from '../server/config/config.ts';
import { writeBlockViews } from './block-views.ts';
import { allParts, describeFailure, errorsOf } from './build-error.ts';
import { type Bundle, jsonFile, outputsOf, printWarnings } from './build-site.ts';
import { checkClientInputs, clientBundle, programBundles, serverBundle } from './bundles/bundles.ts';
import { CATALOGUE_MODULES, EARLY_SCRIPT, PAGE_MODULES } from './bundles/entries.ts';
import { serveBrowserModules } from './dev/browser-modules.ts';
import { Front } from './dev/front.ts';
import { type MistakeKind, Mistakes } from './dev/mistakes.ts';
import { BASE, CHANGED, PAGE_SCRIPT } from './dev/names.ts';
import { type LogEntry, SiteProcess } from './dev/site-process.ts';
import { Types } from './dev/types.ts';
import { createManifest, earlyScript, type Scripts } from './manifest.ts';
import { brandDir, projectRoot, toProjectPath, writeFiles } from './output-files.ts';
import { type SiteFiles, siteFiles } from './site-files.ts';
import { addressOf } from './styles/assets.ts';
import { checkCssModules } from './styles/css-module-uses.ts';
import { buildStylesheet, type Stylesheet } from './styles/stylesheet.ts';

/** `npm run dev` (decision 196): shows each save in open pages, and restarts the server if it is affected. */

const DIST = join(projectRoot, 'dist-dev');
/** The pause before a build, in ms, because an editor may save several files. */
const SETTLE_MS = 10;
/** The pause before types, class names and scripts are checked, in ms. Open pages show the edit first. */
const CHECK_AFTER_MS = 500;
/** The longer pause after a restart, in ms, because the checks would delay the first page of the server. */
const CHECK_AFTER_RESTART_MS = 2_000;
/** The longest wait for open responses before a restart, in ms. */
const ANSWERS_MS = 5_000;
/** The log entries that report changed content. Open pages then load it. */
const CONTENT_CODES = ['folder-changed', 'webhook-accepted'];

/** The parts of the build that a saved file can change. */
type Part = 'styles' | 'files' | 'code' | 'programs';

process.env.NODE_ENV ??= 'development';
const { port, host, logLevel } = readConfig();
const front = new Front();
const [vite, server, programs, early, client] = await Promise.all([
  serveBrowserModules(front.server),
  // Build without esbuild's watch mode, which polls and may be 2 s late.
  context(serverBundle('development')),
  Promise.all(programBundles().map(bundle => context(bundle))),
  context({ ...clientBundle('development'), entryPoints: [EARLY_SCRIPT] }),
  context(clientBundle('development')),
]);
const mistakes = new Mistakes(vite);
const types = new Types(found => mistakes.set('types', found));
const site = new SiteProcess(() => front.port, follow);

/** Stylesheets and their files by address. The proxy in front of the server serves them without a restart. */
let styles = new Map<string, Uint8Array>();
let stylesheet: Stylesheet;
let otherFiles: SiteFiles;
let sitePort: number | null = null;
let servedBuild = '';
let changed = new Set<Part>();
let builtPrograms: readonly Bundle[] | null = null;
let packages: readonly string[] = [];
/** The parts of the last build if it failed. The next build includes them. */
let unfinished = new Set<Part>();
let working = false;
let checks: NodeJS.Timeout | undefined;
let ending = false;

process.on('SIGINT', () => void end());
process.on('SIGTERM', () => void end());
process.once('exit', () => {
  site.kill();
  types.stop();
});

await rm(DIST, { recursive: true, force: true });
await front.listen(port, host, answer).catch((error: Error) => {
  console.error(`PORT: ${error.message}`);
  process.exit(1);
});
vite.watcher.on('all', (event, file) => {
  if (!event.endsWith('Dir')) note(file);
});
changed = new Set(['styles', 'files', 'code', 'programs']);
await renew();

function answer(req: IncomingMessage, res: ServerResponse): boolean {
  const { pathname } = new URL(req.url ?? '/', 'http://localhost');
  // Vite puts its base before the address of a swapped stylesheet.
  const address = pathname.startsWith(`${BASE}assets/`) ? pathname.slice(BASE.length - 1) : pathname;
  const style = styles.get(address);
  if (style) {
    const type = address.endsWith('.css') ? 'text/css' : 'font/woff2';
    res.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
    res.end(style);
  } else if (pathname.startsWith(BASE)) {
    // Vite's overlay shows no source line: replace it with the overlay of the build's mistakes.
    res.once('finish', () => res.statusCode === 500 && mistakes.showAgain());
    vite.middlewares(req, res, () => res.writeHead(404).end());
  } else return false;
  return true;
}

/** Records a saved file. Requests wait if code changes, so that no page mixes old and new code. */
function note(file: string): void {
  const path = toProjectPath(file);
  const isBrand = file.startsWith(brandDir);
  const isStyle = path.endsWith('.css');
  if (isStyle || isBrand) changed.add('styles');
  if (isBrand || /^(?:client|site)\/static\//.test(path)) changed.add('files');
  if (path === EARLY_SCRIPT || !(path.startsWith('client/') || (isStyle && !path.includes('.module.'))))
    changed.add('code');
  if (!builtPrograms || builtPrograms.some(({ metafile }) => path in metafile.inputs))
    changed.add('programs');
  if (changed.has('code') || changed.has('files')) front.hold();
  mistakes.forgetPages();
  void renew();
}

/** Builds what has changed. A call during a build starts a further build at its end. */
async function renew(): Promise<void> {
  if (working || ending) return;
  working = true;
  const runningBuild = servedBuild;
  while (changed.size > 0 && !ending) {
    await delay(SETTLE_MS);
    const parts = new Set([...changed, ...unfinished]);
    [changed, unfinished] = [new Set(), new Set()];
    try {
      await build(parts);
      mistakes.set('build', []);
    } catch (error) {
      await report('build', error);
      unfinished = parts;
    }
  }
  working = false;
  front.open(sitePort);
  clearTimeout(checks);
  checks = setTimeout(check, servedBuild === runningBuild ? CHECK_AFTER_MS : CHECK_AFTER_RESTART_MS);
}

/** Prepares the next server process, and checks types and bundled scripts. Open pages do not wait for it. */
function check(): void {
  const { args, env } = serverProcess();
  if (site.isRunning) site.prepare(args, env);
  void types.check();
  void checkBundle();
}

async function checkBundle(): Promise<void> {
  try {
    await checkCssModules();
    checkClientInputs((await client.rebuild()).metafile);
    mistakes.set('scripts', []);
  } catch (error) {
    await report('scripts', error);
  }
}

async function report(kind: MistakeKind, error: unknown): Promise<void> {
  mistakes.set(kind, errorsOf(error) ?? [{ text: String(error) }]);
  console.error(await describeFailure(error));
}

async function build(parts: ReadonlySet<Part>): Promise<void> {
  const started = performance.now();
  const [files, code] = [parts.has('files'), parts.has('code')];
  if (code) await writeBlockViews();
  const restyled = parts.has('styles') ? restyle() : Promise.resolve();
  // Show new styles before the rest takes the processor.
  await Promise.allSettled([restyled]);
  const [, , bundles] = await allParts([
    restyled,
    files ? siteFiles().then(made => (otherFiles = made)) : Promise.resolve(),
    code || files
      ? Promise.all([
          server.rebuild(),
          early.rebuild(),
          parts.has('programs') || !builtPrograms
            ? Promise.all(programs.map(program => program.rebuild()))
            : builtPrograms,
        ])
      : Promise.resolve(null),
  ]);
  if (!bundles) return;
  const [main, script] = bundles;
  builtPrograms = bundles[2];
  const all = [main, script, ...builtPrograms];
  await printWarnings(all.flatMap(({ warnings }) => warnings));
  const built = [...all.flatMap(outputsOf), ...otherFiles.files];
  const manifest = createManifest(scriptsOf(script), stylesheet, otherFiles, built);
  if (manifest.id === servedBuild && site.isRunning) return;
  await writeFiles(DIST, [...built, jsonFile('manifest.json', manifest)]);
  packages = packagesOf(main.metafile);
  await restart();
  servedBuild = manifest.id;
  console.log(`Built ${manifest.id} in ${Math.round(performance.now() - started)} ms`);
  vite.ws.send({ type: 'custom', event: CHANGED });
}

async function restyle(): Promise<void> {
  stylesheet = await buildStylesheet('development');
  const before = styles;
  styles = new Map(stylesheet.files.map(file => [addressOf(file), file.contents]));
  const timestamp = Date.now();
  const updates = [...styles]
    .filter(([path, css]) => path.endsWith('.css') && Buffer.compare(css, before.get(path) ?? css) !== 0)
    .map(([path]) => ({ type: 'css-update' as const, path, acceptedPath: path, timestamp }));
  vite.ws.send({ type: 'update', updates });
}

async function restart(): Promise<void> {
  await front.settled(ANSWERS_MS);
  site.stop();
  if (ending) return;
  const { args, env } = serverProcess();
  // If the server fails, start it again with source maps (200 ms), so that its error names a source line.
  sitePort = (await site.start(args, env)) ?? (await site.start(['--enable-source-maps', ...args], env));
}

function serverProcess(): { args: string[]; env: NodeJS.ProcessEnv } {
  // Let the server exit with this process, which may be killed.
  const first = ['./end-with-parent.ts', './dev/packages-first.ts'];
  const args = first.map(module => `--import=${import.meta.resolve(module)}`);
  const env = {
    ...process.env,
    DEV_PACKAGES: JSON.stringify(packages),
    ...{ DEV_RELOAD: 'on', npm_lifecycle_event: 'dev' },
    ...{ PORT: '0', HOST: '127.0.0.1', REUSE_PORT: 'off' },
    // Log `info`, because this process reads the log. Pages need not poll: this process announces new builds.
    ...{ LOG_LEVEL: logLevel === 'debug' ? 'debug' : 'info', BUILD_POLL_INTERVAL_MS: '86400000' },
  };
  return { args: [...args, join(DIST, 'server/site.js')], env };
}

function packagesOf({ outputs }: Metafile): string[] {
  const imports = outputs['dist/server/site.js']?.imports ?? [];
  return imports
    .filter(
      ({ external, kind, path }) => external && kind === 'import-statement' && !path.startsWith('node:'),
    )
    .map(({ path }) => path);
}

/** Lists one script, because Vite loads the others by their imports. */
function scriptsOf({ metafile }: Awaited<ReturnType<typeof early.rebuild>>): Scripts {
  // The cast is safe: `none` has the ids of all catalogues and routes.
  const none = Object.fromEntries(
    [...Object.keys(CATALOGUE_MODULES), ...Object.keys(PAGE_MODULES)].map(id => [id, []]),
  ) as unknown as Scripts['catalogues'] & Scripts['routes'];
  const preload = [PAGE_SCRIPT];
  return { entry: PAGE_SCRIPT, early: earlyScript(metafile), preload, catalogues: none, routes: none };
}

function follow(entry: LogEntry): void {
  if (entry.code === 'process-ended') {
    sitePort = null;
    // During a build, let requests wait: the server is started once more, and that attempt may succeed.
    if (!working) front.open(null);
  }
  if (CONTENT_CODES.includes(entry.code)) {
    mistakes.forgetPages();
    vite.ws.send({ type: 'custom', event: CHANGED });
  }
  mistakes.read(entry);
}

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  front.server.close();
  await Promise.all([site.end(), front.settled(ANSWERS_MS)]);
  process.exit(0);
}
