import type { WorldMap } from '../content/world-map.ts';
import type { CatalogueName } from '../labels/page-language.ts';
import type { RouteId } from '../routing/routes.ts';

/**
 * The description of one build: `dist/manifest.json`, written by the build and read by the server when it starts.
 * Addresses are paths on the site's origin, such as `/assets/home-page-ABCD1234.js`.
 */
export interface BuildManifest {
  /** A hash of all files of the build, 16 hexadecimal digits. Equal builds have equal ids. */
  readonly id: string;
  /** The time of the build, in ms since the epoch. */
  readonly timestamp: number;
  /** The script that hydrates the page. */
  readonly entry: string;
  /** The classic script that runs before the first paint. */
  readonly early: string;
  /** The chunks that `entry` imports statically, directly or not. */
  readonly preload: readonly string[];
  readonly stylesheet: string;
  /** The font files that nearly every page needs: upright faces with the basic Latin letters. */
  readonly fonts: readonly string[];
  /** The chunk of each catalogue of words. */
  readonly catalogues: Readonly<Record<CatalogueName, readonly string[]>>;
  /** The chunks that a route's page needs besides `entry` and `preload`. The page's own chunk comes first. */
  readonly routes: Readonly<Record<RouteId, readonly string[]>>;
  /** A hash of the fonts and pictures of share cards. Cards of another design have other addresses. */
  readonly cardDesign: string;
  /** The data of the hero's map. */
  readonly worldMap: WorldMap;
}
