declare module '*/brand/logo.svg' {
  const drawings: import('../shared/brand.ts').LogoDrawings;
  export default drawings;
  /** The widths of letters in titles, in hundredths of the font's size, of scripts that do not join them. */
  export const letterWidths: Readonly<Record<string, number>>;
}
