/** The part of `subset-font` that the build uses. The package has no types. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    /** Characters that the font lacks are ignored. */
    text: string,
    options: {
      targetFormat: 'woff2' | 'truetype';
      /** The value of an axis, or the range to keep. */
      variationAxes: Readonly<Record<string, number | { min: number; max: number }>>;
      /** All other features are removed with the glyphs that only they use. */
      keepFeatures?: readonly string[];
      preserveNameIds?: readonly number[];
    },
  ): Promise<Buffer>;
}
