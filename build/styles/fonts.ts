import type { Rule } from 'lightningcss';
import { sha256 } from '../output-files.ts';

export interface FontFace {
  readonly url: string;
  /** The lightest and the boldest used `font-weight`. */
  readonly weights: readonly [least: number, most: number];
  /** True for upright faces with basic Latin letters. Pages fetch other faces on demand. */
  readonly isPreloaded: boolean;
}

type FontFaceRule = Extract<Rule, { type: 'font-face' }>;

/** Reads a font face. A rule for system fonts has no files. */
export function readFontFace({ value: { properties } }: FontFaceRule): FontFace[] {
  const weights: [number, number] = [400, 400];
  const urls: string[] = [];
  let isPreloaded = true;
  for (const property of properties) {
    if (property.type === 'font-style') isPreloaded &&= property.value.type === 'normal';
    if (property.type === 'unicode-range')
      isPreloaded &&= property.value.some(({ start, end }) => start <= 0x61 && end >= 0x61);
    if (property.type === 'font-weight')
      property.value.forEach((weight, index) => {
        if (weight.type === 'absolute')
          weights[index] =
            weight.value.type === 'weight' ? weight.value.value : weight.value.type === 'bold' ? 700 : 400;
      });
    if (property.type === 'source')
      for (const source of property.value) if (source.type === 'url') urls.push(source.value.url.url);
  }
  return urls.map(url => ({ url, weights, isPreloaded }));
}

/** OpenType features: defaults of browsers, and the figures of `tabular-nums` and `lining-nums`. */
const FEATURES = ['kern', 'liga', 'clig', 'calt', 'rlig', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'lnum'];
/** The entries for the licence in the font's name table. Name and copyright stay by default. */
export const LICENCE_NAMES = [13, 14];
const CHARACTERS = String.fromCodePoint(...Array.from({ length: 0x2e80 - 0x20 }, (_, index) => 0x20 + index));

const subsets = new Map<string, Promise<Buffer>>();

/** Removes unused weights and features of a WOFF2 font. Every machine gets equal bytes, for the build id. */
export function subsetFontFile(font: Buffer, { weights }: FontFace): Promise<Buffer> {
  const key = `${sha256(font)} ${weights.join(' ')}`;
  const known = subsets.get(key);
  if (known) return known;
  const subset = makeSubset(font, weights);
  subsets.set(key, subset);
  return subset;
}

async function makeSubset(font: Buffer, [min, max]: FontFace['weights']): Promise<Buffer> {
  // Load subset-font only for a font, because it contains HarfBuzz as WebAssembly.
  const { default: subsetFont } = await import('subset-font');
  return subsetFont(font, CHARACTERS, {
    targetFormat: 'woff2',
    variationAxes: { wght: min === max ? min : { min, max } },
    keepFeatures: FEATURES,
    preserveNameIds: LICENCE_NAMES,
  });
}
