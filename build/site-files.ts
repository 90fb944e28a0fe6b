import { readBrand } from './brand/brand.ts';
import { iconFiles } from './brand/icons.ts';
import { shareCardFiles } from './brand/share-card.ts';
import { Tokens } from './brand/tokens.ts';
import { allParts } from './build-error.ts';
import { readStaticFiles } from './copied-files.ts';
import { drawWorldMap } from './pictures/world-map.ts';

export type SiteFiles = Awaited<ReturnType<typeof siteFiles>>;

/** Builds all files besides bundles and stylesheets. @throws BuildError for mistakes in the brand. */
export async function siteFiles() {
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
  const colours = { bar, hasDarkCards: tokens.isDark(brand.card.background), palette: tokens.palette() };
  return { worldMap, colours, cards, files: [...cards, ...icons, ...staticFiles] };
}
