import type { ReactElement } from 'react';

/** A brand besides its colours, sizes and drawings: the file `brand.ts` in its folder (`docs/brand.md`). */
export interface Brand {
  readonly logo: {
    /** Whether the drawing has the name. Else the name stands beside it. */
    readonly hasName: boolean;
  };
  /** The surfaces of `tokens.css` on which texts may have an accent of the settings, the page's first. */
  readonly surfaces: { readonly light: readonly string[]; readonly dark: readonly string[] };
}

/** The module that the build makes of `logo.svg` and `logo-dark.svg`. */
export interface LogoDrawings {
  /** An SVG element. */
  readonly light: ReactElement;
  /** The drawing for dark surfaces; null if `light` serves both. */
  readonly dark: ReactElement | null;
  readonly hasName: boolean;
}
