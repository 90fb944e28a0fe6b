import { rename, rm } from 'node:fs/promises';
import { type BuildResult, build, formatMessages } from 'esbuild';
import { writeBlockViews } from './block-views.ts';
import { allParts } from './build-error.ts';
import { checkClientInputs, checkProductionInputs, clientBundle, serverBundle } from './bundles/bundles.ts';
import { nativePackages, runbookCopy } from './copied-files.ts';
import { bundledScripts, createManifest } from './manifest.ts';
import { distDir, type OutputFile, toProjectPath, writeFiles } from './output-files.ts';
import { siteFiles } from './site-files.ts';
import { minifyScripts, precompress } from './smaller-files.ts';
import { BUILT_FROM, inputsHash } from './staleness.ts';
import { checkCssModules } from './styles/css-module-uses.ts';
import { buildStylesheet } from './styles/stylesheet.ts';
import { writeResults } from './write-results.ts';

export type Bundle = BuildResult<{ metafile: true; write: false }>;

async function compileSite() {
  const [client, server, stylesheet, other] = await allParts([
    build(clientBundle('production')),
    build(serverBundle('production')),
    buildStylesheet('production'),
    siteFiles(),
    checkCssModules(),
  ]);
  checkClientInputs(client.metafile);
  checkProductionInputs(client.metafile);
  checkProductionInputs(server.metafile);
  await printWarnings([...client.warnings, ...server.warnings]);

  const scripts = await minifyScripts(outputsOf(client));
  const files = [...scripts, ...serverFiles(server), ...stylesheet.files, ...other.files];
  const manifest = createManifest(bundledScripts(client.metafile), stylesheet, other, files);
  const described = [
    jsonFile('manifest.json', manifest),
    jsonFile('meta-client.json', client.metafile),
    jsonFile('meta-server.json', server.metafile),
  ];
  return { manifest, files: [...files, ...described] };
}

/** Builds the site, and replaces `dist` at the end. @throws BuildError for mistakes in the sources. */
export async function buildSite(): Promise<string> {
  const started = performance.now();
  await writeBlockViews();
  // Hash the sources first: a file saved during the build then makes the result stale.
  const builtFrom = await inputsHash();
  const site = await compileSite();
  const [compressed, native] = await allParts([precompress(site.files), nativePackages()]);
  const files = [
    ...site.files,
    ...compressed,
    ...native,
    await runbookCopy(),
    // Mark the files as modules, because the image has no package.json above them.
    jsonFile('server/package.json', { type: 'module' }),
    { path: BUILT_FROM, contents: Buffer.from(builtFrom) },
  ];
  await replaceDist(files);

  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const sizes = new Map(compressed.map(file => [file.path, file.contents.length]));
  const kilobytes = (addresses: readonly string[]) => {
    const bytes = addresses.reduce((sum, address) => sum + (sizes.get(`client${address}.br`) ?? 0), 0);
    return `${(bytes / 1000).toFixed(1)} kB`;
  };
  const { id, entry, preload, catalogues, stylesheet, routes } = site.manifest;
  return (
    `Built ${id} in ${seconds} s. Home page, brotli: ` +
    `scripts ${kilobytes([entry, ...preload, ...catalogues.en, ...routes.home])}, styles ${kilobytes([stylesheet])}.`
  );
}

async function replaceDist(files: readonly OutputFile[]): Promise<void> {
  // Add the process id, so that simultaneous builds use different folders.
  const next = `${distDir}.next-${process.pid}`;
  const old = `${distDir}.old-${process.pid}`;
  try {
    await writeFiles(next, files);
    await writeResults(next);
    await unless('ENOENT', rename(distDir, old));
    // Accept a `dist` that a simultaneous build has just written from the same sources.
    await unless('ENOTEMPTY', rename(next, distDir));
  } finally {
    await Promise.all([next, old].map(folder => rm(folder, { recursive: true, force: true })));
  }
}

async function unless(code: string, work: Promise<void>): Promise<void> {
  await work.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== code) throw error;
  });
}

export function outputsOf(bundle: Bundle): OutputFile[] {
  return bundle.outputFiles.map(({ path, contents }) => ({
    path: toProjectPath(path).slice('dist/'.length),
    contents,
  }));
}

/** @returns the server's files. Only the source map of `site.js` is read, so the others are left out. */
function serverFiles(bundle: Bundle): OutputFile[] {
  return outputsOf(bundle).filter(({ path }) => !path.endsWith('.map') || path === 'server/site.js.map');
}

export function jsonFile(path: string, value: unknown): OutputFile {
  return { path, contents: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) };
}

export async function printWarnings(warnings: Bundle['warnings']): Promise<void> {
  if (warnings.length === 0) return;
  const color = process.stderr.isTTY === true;
  console.warn((await formatMessages(warnings, { kind: 'warning', color })).join('').trimEnd());
}
