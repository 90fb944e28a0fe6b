import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type Dependency, transform } from 'lightningcss';
import { BuildError } from '../build-error.ts';
import {
  type BuildMode,
  listFiles,
  type OutputFile,
  projectRoot,
  sha256,
  toProjectPath,
} from '../output-files.ts';
import { compileCssModule, isLateStylesheet, reportingMistakes } from './css-modules.ts';
import { type FontFace, readFontFace, subsetFontFile } from './fonts.ts';

/** The global stylesheets in order, before all CSS modules. */
const GLOBAL_STYLESHEETS = [
  'site/brand/fonts.css',
  'site/brand/tokens.css',
  ...['scheme', 'base', 'navigation', 'scroll-area', 'code', 'suggestions'].map(
    name => `shared/styles/${name}.css`,
  ),
];

/** The folders in order, so that a user of a component can override it at equal specificity. */
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

export interface Stylesheet {
  readonly files: readonly OutputFile[];
  readonly address: string;
  /** Addresses of fonts to preload. */
  readonly fonts: readonly string[];
}

/** Builds one stylesheet, and one for each late view. @throws BuildError for a mistake. */
export async function buildStylesheet(mode: BuildMode): Promise<Stylesheet> {
  const folders = await Promise.all(MODULE_FOLDERS.map(listFiles));
  const modules = folders.flat().filter(file => file.endsWith('.module.css'));
  const assets = new Map<string, OutputFile>();
  const preloaded = new Set<string>();
  const parts = [
    ...(await Promise.all(GLOBAL_STYLESHEETS.map(file => compileGlobal(file, assets, preloaded)))),
    ...(await Promise.all(
      modules.filter(file => !isLateStylesheet(file)).map(file => compileModule(file, assets)),
    )),
  ];
  const own = await Promise.all(
    modules.filter(isLateStylesheet).map(file => lateStylesheet(file, mode, assets)),
  );
  const sheet = finished('site.css', parts.join('\n'), mode);
  return {
    files: [sheet, ...own, ...assets.values()],
    address: addressOf(sheet),
    fonts: [...preloaded].sort(),
  };
}

/** @returns the address of a CSS module's own stylesheet. */
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
  return asset(filename, code);
}

async function compileGlobal(
  file: string,
  assets: Map<string, OutputFile>,
  preloaded: Set<string>,
): Promise<string> {
  const source = await readFile(join(projectRoot, file));
  const faces: FontFace[] = [];
  const { code, dependencies } = reportingMistakes(file, () =>
    transform({
      filename: file,
      code: source,
      analyzeDependencies: { preserveImports: true },
      visitor: {
        Rule: {
          'font-face': rule => {
            faces.push(...readFontFace(rule));
          },
        },
      },
    }),
  );
  await Promise.all(
    faces.map(async face => {
      const path = assetPath(file, face.url);
      const font = asset(basename(path), await subsetFontFile(await readAsset(file, face.url), face));
      assets.set(path, font);
      if (face.isPreloaded) preloaded.add(addressOf(font));
    }),
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
  const path = assetPath(file, url);
  // The map has the fonts already.
  const output = assets.get(path) ?? asset(basename(path), await readAsset(file, url));
  assets.set(path, output);
  return addressOf(output);
}

async function readAsset(file: string, url: string): Promise<Buffer> {
  return readFile(assetPath(file, url)).catch((cause: unknown) => {
    throw new BuildError([
      { text: `url(${url}): ${cause instanceof Error ? cause.message : String(cause)}`, location: { file } },
    ]);
  });
}

/** @returns the file of a URL: relative to the stylesheet, or in a package. */
function assetPath(file: string, url: string): string {
  const folder = url.startsWith('.') ? join(projectRoot, dirname(file)) : join(projectRoot, 'node_modules');
  return join(folder, url);
}

function asset(name: string, contents: Uint8Array): OutputFile {
  const extension = extname(name);
  const hash = sha256(contents).slice(0, 8).toUpperCase();
  return { path: `client/assets/${basename(name, extension)}-${hash}${extension}`, contents };
}

function addressOf(file: OutputFile): string {
  return file.path.slice('client'.length);
}
