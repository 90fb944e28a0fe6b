import type { Metafile } from 'esbuild';
import type { CatalogueName } from '../shared/labels/page-language.ts';
import type { BuildManifest } from '../shared/payload/build-manifest.ts';
import type { RouteId } from '../shared/routing/routes.ts';
import { BuildError } from './build-error.ts';
import { CATALOGUE_MODULES, CLIENT_ENTRY, EARLY_SCRIPT, PAGE_MODULES } from './bundles/entries.ts';
import { hashOf, type OutputFile } from './output-files.ts';
import type { SiteFiles } from './site-files.ts';
import type { Stylesheet } from './styles/stylesheet.ts';

const CLIENT_FOLDER = 'dist/client';

export type Scripts = Pick<BuildManifest, 'entry' | 'early' | 'preload' | 'catalogues' | 'routes'>;

/** Creates the manifest. The build id is a hash of `files`. */
export function createManifest(
  scripts: Scripts,
  { fonts, address }: Pick<Stylesheet, 'fonts' | 'address'>,
  { worldMap, cards, colours }: SiteFiles,
  files: readonly OutputFile[],
): BuildManifest {
  return {
    id: contentId([...files, { path: 'world-map', contents: Buffer.from(JSON.stringify(worldMap)) }]),
    timestamp: Date.now(),
    ...scripts,
    stylesheet: address,
    fonts,
    ...colours,
    cardDesign: contentId(cards),
    worldMap,
  };
}

/** Names the scripts of the bundle. @throws BuildError if a page has no chunk. */
export function bundledScripts(metafile: Metafile): Scripts {
  const entry = chunkOf(metafile, CLIENT_ENTRY);
  const atStart = staticImports(metafile, entry);
  const chunksOf = ([id, module]: [string, string]) => {
    const chunks = staticImports(metafile, chunkOf(metafile, module));
    return [id, [...chunks].filter(chunk => !atStart.has(chunk)).map(addressOf)];
  };
  return {
    entry: addressOf(entry),
    early: earlyScript(metafile),
    preload: [...atStart].filter(chunk => chunk !== entry).map(addressOf),
    catalogues: Object.fromEntries(Object.entries(CATALOGUE_MODULES).map(chunksOf)) as Record<
      CatalogueName,
      string[]
    >,
    routes: Object.fromEntries(Object.entries(PAGE_MODULES).map(chunksOf)) as Record<RouteId, string[]>,
  };
}

export function earlyScript(metafile: Metafile): string {
  return addressOf(chunkOf(metafile, EARLY_SCRIPT));
}

/** Hashes files without source maps, times and folder, so that two machines get the same id. */
function contentId(files: readonly OutputFile[]): string {
  const described = files.filter(({ path }) => !path.endsWith('.map'));
  return hashOf(described.toSorted((a, b) => (a.path < b.path ? -1 : 1))).slice(0, 16);
}

function chunkOf(metafile: Metafile, module: string): string {
  const chunk = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === module);
  if (!chunk) {
    throw new BuildError([
      { text: `${module} has no chunk of its own: ${CLIENT_ENTRY} has to reach it through an import()` },
    ]);
  }
  return chunk[0];
}

function staticImports(metafile: Metafile, chunk: string, found = new Set<string>()): Set<string> {
  found.add(chunk);
  for (const { path, kind, external } of metafile.outputs[chunk]?.imports ?? []) {
    if (kind === 'import-statement' && !external && !found.has(path)) staticImports(metafile, path, found);
  }
  return found;
}

function addressOf(chunk: string): string {
  return chunk.slice(CLIENT_FOLDER.length);
}
