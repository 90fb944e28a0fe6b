declare module '*/brand/logo.svg' {
  const drawings: import('../shared/brand.ts').LogoDrawings;
  export default drawings;
  /** Widths of letters in titles, in hundredths of the font's size; without scripts whose letters join. */
  export const letterWidths: Readonly<Record<string, number>>;
}
