import type { WorldMap } from '../shared/content/world-map.ts';
import type { BuildManifest } from '../shared/payload/build-manifest.ts';
import { readBrand } from './brand/brand.ts';
import { iconFiles } from './brand/icons.ts';
import { shareCardFiles } from './brand/share-card.ts';
import { Tokens } from './brand/tokens.ts';
import { allParts } from './build-error.ts';
import { readStaticFiles } from './copied-files.ts';
import type { OutputFile } from './output-files.ts';
import { drawWorldMap } from './pictures/world-map.ts';

/** What is built from the brand, the pictures and the static files. */
export interface SiteFiles {
  readonly worldMap: WorldMap;
  readonly colours: Pick<BuildManifest, 'bar' | 'hasDarkCards'>;
  readonly cards: readonly OutputFile[];
  readonly files: readonly OutputFile[];
}

/** Builds all files besides bundles and stylesheets. @throws BuildError for mistakes in the brand. */
export async function siteFiles(): Promise<SiteFiles> {
  const [brand, tokens] = await allParts([readBrand(), Tokens.read()]);
  tokens.checkContrast();
  tokens.checkSurfaces(brand);
  const [worldMap, cards, icons, staticFiles] = await allParts([
    drawWorldMap(),
    shareCardFiles(brand, tokens),
    iconFiles(brand, tokens),
    readStaticFiles(),
  ]);
  const bar = { light: tokens.colour(brand.bar, 'light'), dark: tokens.colour(brand.bar, 'dark') };
  const colours = { bar, hasDarkCards: tokens.isDark(brand.card.background) };
  return { worldMap, colours, cards, files: [...cards, ...icons, ...staticFiles] };
}
