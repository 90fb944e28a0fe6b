/** The part of `subset-font` that the build uses; the package comes without types. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    /** The characters to keep. Those that the font does not have are no error. */
    text: string,
    options: {
      targetFormat: 'woff2';
      /** One value, or the part of the axis that is kept. */
      variationAxes: Readonly<Record<string, number | { min: number; max: number }>>;
      /** OpenType features by their tags; all others are left out, with the glyphs that only they reach. */
      keepFeatures: readonly string[];
      preserveNameIds: readonly number[];
    },
  ): Promise<Buffer>;
}
