/** The file `dist/server/cards/card.json`: what the scaling process knows of the brand. */
export interface CardDesign {
  /** Fonts for Pango without a size, the preferred family first. */
  readonly titleFont: string;
  readonly textFont: string;
  readonly ink: string;
  readonly inkMuted: string;
  readonly accent: string;
  readonly surface: string;
  /** The code points of all fonts, ascending. */
  readonly coverage: readonly (readonly [first: number, last: number])[];
}
