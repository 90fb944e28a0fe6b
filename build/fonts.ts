import type { Rule } from 'lightningcss';
import { sha256 } from './output-files.ts';

/** What a font face of the stylesheets says of its file. */
export interface FontFace {
  /** As the stylesheet has it. */
  readonly url: string;
  /** `font-weight`: the lightest and the boldest that it is used at. */
  readonly weights: readonly [least: number, most: number];
  /** Whether pages preload it: an upright face with the basic Latin letters. Others are fetched by the pages that use them. */
  readonly isPreloaded: boolean;
}

type FontFaceRule = Extract<Rule, { type: 'font-face' }>;

/** @returns the files that a font face brings along; none for one that names fonts of the system. */
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

/** What browsers turn on by themselves, and the figures that stylesheets ask for (`tabular-nums`, `lining-nums`). */
const FEATURES = ['kern', 'liga', 'clig', 'calt', 'rlig', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'lnum'];
/** Entries of the font's table of names: its licence stays with it, beside its name and its copyright. */
const LICENCE_NAMES = [13, 14];
/** The Basic Multilingual Plane up to the scripts of East Asia. Of these the subset keeps what the font has. */
const CHARACTERS = String.fromCodePoint(...Array.from({ length: 0x2e80 - 0x20 }, (_, index) => 0x20 + index));

const made = new Map<string, Promise<Buffer>>();

/**
 * Takes out of a variable font what the site does not use: weights, and OpenType features with their glyphs. Every
 * character stays. The same bytes come out of the same file on every machine; they are part of the build's id.
 *
 * @param font WOFF2 with the axis `wght`.
 * @returns WOFF2. Kept for as long as the process runs: `npm run dev` builds often.
 */
export function subsetFontFile(font: Buffer, { weights }: FontFace): Promise<Buffer> {
  const key = `${sha256(font)} ${weights.join(' ')}`;
  const known = made.get(key);
  if (known) return known;
  const subset = makeSubset(font, weights);
  made.set(key, subset);
  return subset;
}

async function makeSubset(font: Buffer, [min, max]: FontFace['weights']): Promise<Buffer> {
  // HarfBuzz, as WebAssembly: loaded when there is a font, and not for every import of the build.
  const { default: subsetFont } = await import('subset-font');
  return subsetFont(font, CHARACTERS, {
    targetFormat: 'woff2',
    variationAxes: { wght: min === max ? min : { min, max } },
    keepFeatures: FEATURES,
    preserveNameIds: LICENCE_NAMES,
  });
}
