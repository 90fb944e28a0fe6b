import type { WorldMap } from '../content/world-map.ts';
import type { CatalogueName } from '../labels/page-language.ts';
import type { RouteId } from '../routing/routes.ts';

/** The file `dist/manifest.json`. Addresses are paths, such as `/assets/home-page-ABCD1234.js`. */
export interface BuildManifest {
  /** A hash of all files of the build, 16 hexadecimal digits. */
  readonly id: string;
  /** In ms since the epoch. */
  readonly timestamp: number;
  /** The script that hydrates the page. */
  readonly entry: string;
  /** The classic script that runs before the first paint. */
  readonly early: string;
  /** The chunks that `entry` imports statically, directly or not. */
  readonly preload: readonly string[];
  readonly stylesheet: string;
  /** The fonts that nearly every page needs: upright faces with the basic Latin letters. */
  readonly fonts: readonly string[];
  readonly catalogues: Readonly<Record<CatalogueName, readonly string[]>>;
  /** The chunks of a route's page besides `entry` and `preload`. The page's own chunk comes first. */
  readonly routes: Readonly<Record<RouteId, readonly string[]>>;
  /** A hash of the fonts and pictures of share cards. Cards of another design have other addresses. */
  readonly cardDesign: string;
  readonly worldMap: WorldMap;
}
