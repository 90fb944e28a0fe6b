import type { ReactElement } from 'react';

/** A brand without its colours, sizes and drawings: `brand.ts` in the brand's folder (`docs/brand.md`). */
export interface Brand {
  /** The site's name if the settings have none. If this is null, too, the host is the name. */
  readonly name: string | null;
  readonly logo: {
    /** Whether the drawing contains the name. Otherwise the name is shown beside it. */
    readonly hasName: boolean;
  };
  /** The colours of surfaces on which text may have the settings' accent colour. The page's comes first. */
  readonly surfaces: { readonly light: readonly string[]; readonly dark: readonly string[] };
  /** The token of the background of `icon.svg`, for systems that cut icons to their own shape. */
  readonly iconBackground: string;
  readonly bar: string;
  readonly faces: {
    readonly text: BrandFace;
    /** The face of titles, which use its lightest weight. */
    readonly display: BrandFace;
  };
  /** The picture of a shared link: its tokens, and more faces for letters that the faces above lack. */
  readonly card: {
    readonly background: string;
    readonly ink: string;
    readonly inkMuted: string;
    readonly accent: string;
    readonly faces: readonly FontFiles[];
  };
}

export interface FontFiles {
  /** A package of Fontsource, or a file in the folder of the brand, such as `./nordwind.woff2`. */
  readonly from: string;
  /** The subsets of a package. Pages preload the first. Without a list: `latin` and `latin-ext`. */
  readonly subsets?: readonly string[];
}

export interface BrandFace extends FontFiles {
  /** The weights that the stylesheets use. A variable font keeps all from the lightest to the boldest. */
  readonly weights: readonly [number, ...number[]];
  /** The kind of system font that is shown until the face has loaded. */
  readonly fallback: 'sans-serif' | 'serif' | 'monospace';
}

/** The module that the build makes from `logo.svg` and `logo-dark.svg`. */
export interface LogoDrawings {
  readonly light: ReactElement;
  /** The drawing for dark surfaces; null if `light` serves both. */
  readonly dark: ReactElement | null;
  readonly hasName: boolean;
  /** The usual width of a letter in titles, in hundredths of the font's size. */
  readonly letterWidth: number;
}
