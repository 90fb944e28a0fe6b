/** The used part of `subset-font`, which has no types. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    /** The characters to keep. Those that the font lacks are ignored. */
    text: string,
    options: {
      targetFormat: 'woff2' | 'truetype';
      /** The value of an axis, or the range to keep. */
      variationAxes: Readonly<Record<string, number | { min: number; max: number }>>;
      /** The features to keep. Others are removed with the glyphs that only they use. */
      keepFeatures?: readonly string[];
      preserveNameIds?: readonly number[];
    },
  ): Promise<Buffer>;
}
