import type { WorldMap } from '../content/world-map.ts';
import type { CatalogueName } from '../labels/page-language.ts';
import type { RouteId } from '../routing/routes.ts';

/** The opaque colours of a brand by the names of their tokens, for light and dark surfaces. */
export type Palette = Readonly<Record<string, readonly [light: string, dark: string]>>;

/** The file `dist/manifest.json`. Addresses are paths, such as `/assets/home-page-ABCD1234.js`. */
export interface BuildManifest {
  /** The build id: a hash of all files of the build, 16 hexadecimal digits. */
  readonly id: string;
  readonly timestamp: number;
  readonly entry: string;
  /** The classic script that runs before the first paint. */
  readonly early: string;
  /** The chunks that `entry` imports statically, directly or indirectly. */
  readonly preload: readonly string[];
  readonly stylesheet: string;
  /** Fonts for nearly every page: upright faces with basic Latin letters. */
  readonly fonts: readonly string[];
  readonly catalogues: Readonly<Record<CatalogueName, readonly string[]>>;
  /** The chunks of a route's page besides `entry` and `preload`, the page's own chunk first. */
  readonly routes: Readonly<Record<RouteId, readonly string[]>>;
  readonly bar: { readonly light: string; readonly dark: string };
  readonly palette: Palette;
  /** A hash of fonts and pictures of share cards, so that a new design gets new addresses. */
  readonly cardDesign: string;
  /** Whether share cards are dark, so that they need the logo for dark surfaces. */
  readonly hasDarkCards: boolean;
  readonly worldMap: WorldMap;
}
