import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Dependency, transform } from 'lightningcss';
import { readBrand } from '../brand/brand.ts';
import { buildFaces } from '../brand/faces.ts';
import { BuildError } from '../build-error.ts';
import {
  type BuildMode,
  brandDir,
  listFiles,
  type OutputFile,
  projectRoot,
  toProjectPath,
} from '../output-files.ts';
import { addressOf, asset } from './assets.ts';
import { compileCssModule, isLateStylesheet, reportingMistakes } from './css-modules.ts';

/** The global stylesheets in order, after the font faces and before all CSS modules. */
const GLOBAL_STYLESHEETS = [
  toProjectPath(join(brandDir, 'tokens.css')),
  ...['scheme', 'base', 'navigation', 'scroll-area', 'code', 'suggestions', 'print'].map(
    name => `shared/styles/${name}.css`,
  ),
];

/** Folders in order: rules of a component come before those of its users, who can override them. */
const MODULE_FOLDERS = ['shared/ui', 'site/parts', 'site/blocks', 'site/layouts', 'site/routes'];

const version = (major: number, minor = 0) => (major << 16) | (minor << 8);

/** Browsers of the last two years. A fixed list keeps the build id equal on another day. */
const TARGETS = {
  chrome: version(125),
  edge: version(125),
  firefox: version(126),
  safari: version(17, 5),
  ios_saf: version(17, 5),
  samsung: version(27),
};

export type Stylesheet = Awaited<ReturnType<typeof buildStylesheet>>;

/** Builds one stylesheet, and one for each late view. @throws BuildError for a mistake. */
export async function buildStylesheet(mode: BuildMode) {
  const folders = await Promise.all(MODULE_FOLDERS.map(listFiles));
  const modules = folders.flat().filter(file => file.endsWith('.module.css'));
  const assets = new Map<string, OutputFile>();
  const faces = await buildFaces(await readBrand());
  const parts = [
    faces.css,
    ...(await Promise.all(GLOBAL_STYLESHEETS.map(file => compileGlobal(file, assets)))),
    ...(await Promise.all(
      modules.filter(file => !isLateStylesheet(file)).map(file => compileModule(file, assets)),
    )),
  ];
  const own = await Promise.all(
    modules.filter(isLateStylesheet).map(file => lateStylesheet(file, mode, assets)),
  );
  checkVariables(parts.join('\n'));
  const sheet = finished('site.css', parts.join('\n'), mode);
  return {
    files: [sheet, ...faces.files, ...own, ...assets.values()],
    address: addressOf(sheet),
    fonts: faces.preloaded.map(addressOf).sort(),
  };
}

export async function addressOfLate(path: string, mode: BuildMode): Promise<string> {
  return addressOf(await lateStylesheet(toProjectPath(path), mode, new Map()));
}

async function lateStylesheet(
  file: string,
  mode: BuildMode,
  assets: Map<string, OutputFile>,
): Promise<OutputFile> {
  return finished(basename(file).replace('.late.module', ''), await compileModule(file, assets), mode);
}

function finished(filename: string, css: string, mode: BuildMode): OutputFile {
  const { code } = reportingMistakes(filename, () =>
    transform({ filename, code: Buffer.from(css), minify: mode === 'production', targets: TARGETS }),
  );
  // Keep the address in development, because open pages swap the contents.
  return mode === 'production'
    ? asset(filename, code)
    : { path: `client/assets/${filename}`, contents: code };
}

/** @throws BuildError with each variable that neither the brand nor a stylesheet defines. */
function checkVariables(css: string): void {
  const words = css.split(/\s/).filter(word => word.startsWith('--') && word.endsWith(':'));
  const given = new Set(words.map(word => word.slice(0, -1)));
  const used = new Set(Array.from(css.matchAll(/var\((--[\w-]+)\)/g), ([, name = '']) => name));
  const missing = [...used].filter(name => !given.has(name));
  if (missing.length > 0)
    throw new BuildError([{ text: `tokens.css gives no value to ${missing.join(', ')}` }]);
}

async function compileGlobal(file: string, assets: Map<string, OutputFile>): Promise<string> {
  const source = await readFile(join(projectRoot, file));
  const { code, dependencies } = reportingMistakes(file, () =>
    transform({ filename: file, code: source, analyzeDependencies: { preserveImports: true } }),
  );
  return resolveUrls(file, Buffer.from(code).toString(), dependencies ?? [], assets);
}

async function compileModule(file: string, assets: Map<string, OutputFile>): Promise<string> {
  const { css, dependencies } = await compileCssModule(join(projectRoot, file));
  return resolveUrls(file, css, dependencies, assets);
}

/** Replaces placeholders with final addresses, and adds the files to the build. */
async function resolveUrls(
  file: string,
  css: string,
  dependencies: readonly Dependency[],
  assets: Map<string, OutputFile>,
): Promise<string> {
  let resolved = css;
  for (const dependency of dependencies) {
    if (dependency.type === 'import') {
      throw new BuildError([
        {
          text: `@import '${dependency.url}': build/styles/stylesheet.ts lists the stylesheets`,
          location: { file },
        },
      ]);
    }
    if (dependency.type !== 'url') continue;
    const address = await resolveUrl(file, dependency.url, assets);
    resolved = resolved.replaceAll(JSON.stringify(dependency.placeholder), JSON.stringify(address));
  }
  return resolved;
}

async function resolveUrl(file: string, url: string, assets: Map<string, OutputFile>): Promise<string> {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/#])/i.test(url)) return url;
  // An address without a dot is in a package.
  const folder = url.startsWith('.') ? dirname(file) : 'node_modules';
  const path = join(projectRoot, folder, url);
  const output = assets.get(path) ?? asset(basename(path), await readAsset(path, file, url));
  assets.set(path, output);
  return addressOf(output);
}

async function readAsset(path: string, file: string, url: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw new BuildError([
      { text: `url(${url}): ${cause instanceof Error ? cause.message : String(cause)}`, location: { file } },
    ]);
  });
}
