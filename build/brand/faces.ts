import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fromBuffer } from '@capsizecss/unpack';
import { create } from 'fontkitten';
import { remembered } from '../../server/ops/bounded-map.ts';
import type { Brand, BrandFace, FontFiles } from '../../shared/brand.ts';
import { BuildError } from '../build-error.ts';
import { brandDir, projectRoot } from '../output-files.ts';
import { addressOf, asset } from '../styles/assets.ts';

type Weights = readonly [least: number, most: number];

interface FontFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly weights: Weights;
  /** The letters of a subset as CSS ranges; null for a file with all letters. */
  readonly range: string | null;
  readonly isFirst: boolean;
}

/** Fallback fonts by kind. `width` is the first name's average letter width (`@capsizecss/metrics`). */
const FALLBACKS = {
  'sans-serif': {
    local: [
      { names: ['Arial', 'Liberation Sans', 'Roboto'], width: 913 / 2048 },
      { names: ['DejaVu Sans'], width: 1041 / 2048 },
    ],
    stack: 'system-ui, sans-serif',
  },
  serif: {
    local: [
      { names: ['Georgia', 'Gelasio', 'Noto Serif'], width: 913 / 2048 },
      { names: ['DejaVu Serif'], width: 1058 / 2048 },
    ],
    stack: 'Georgia, serif',
  },
  monospace: {
    local: [
      { names: ['Courier New', 'Liberation Mono'], width: 1229 / 2048 },
      { names: ['DejaVu Sans Mono'], width: 1233 / 2048 },
    ],
    stack: 'monospace',
  },
} as const;

/** The OpenType features to keep: the browsers' defaults, `tabular-nums` and `lining-nums`. */
const FEATURES = [
  ...['kern', 'liga', 'clig', 'calt', 'rlig', 'rclt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'lnum'],
  // The letter forms of joined scripts, such as Arabic.
  ...['init', 'medi', 'fina', 'isol', 'med2', 'fin2', 'fin3', 'mset', 'curs'],
];
/** The entries for the licence in the font's name table. Name and copyright stay by default. */
const LICENCE_NAMES = [13, 14];
const CHARACTERS = String.fromCodePoint(...Array.from({ length: 0x2e80 - 0x20 }, (_, index) => 0x20 + index));

/** Makes the font faces of text and titles, with fallbacks of the same metrics, so that nothing moves. */
export async function buildFaces({ faces: { text, display } }: Brand) {
  const isShared = text.from === display.from;
  const families = isShared
    ? [{ ...text, weights: [...new Set([...text.weights, ...display.weights])] }]
    : [text, display];
  const built = await Promise.all(families.map(face => buildFamily(face as BrandFace)));
  const [forText, forDisplay = forText] = built.map(({ stack }) => stack);
  return {
    css: `${built.map(({ css }) => css).join('')}
:root { --font-text: ${forText}; --font-display: ${forDisplay}; --weight-display: ${Math.min(...display.weights)}; }`,
    files: built.flatMap(({ files }) => files),
    preloaded: built.flatMap(({ preloaded }) => preloaded),
  };
}

async function buildFamily(face: BrandFace) {
  const sources = await readFontFiles(face, [Math.min(...face.weights), Math.max(...face.weights)]);
  const subsets = await Promise.all(
    sources.map(async source => {
      const font = await subsetFontFile(source);
      return { ...source, font, file: asset(source.name, font) };
    }),
  );
  const { font } = inLatin(face, subsets);
  const { familyName, ascent, descent, lineGap, unitsPerEm, xWidthAvg } = await fromBuffer(font);
  const { local, stack } = FALLBACKS[face.fallback];
  const rules = subsets.map(({ file, weights: [least, most], range }) =>
    fontFace(familyName, [
      `src: url("${addressOf(file)}") format("woff2")`,
      `font-weight: ${least === most ? least : `${least} ${most}`}`,
      'font-display: swap',
      ...(range === null ? [] : [`unicode-range: ${range}`]),
    ]),
  );
  const fallbacks = local.map(({ names, width }, index) => {
    const scale = xWidthAvg / unitsPerEm / width;
    const percent = (part: number) => `${((part * 100) / unitsPerEm / scale).toFixed(1)}%`;
    const family = `${familyName} Fallback${index === 0 ? '' : ` ${index + 1}`}`;
    const rule = fontFace(family, [
      `src: ${names.map(name => `local("${name}")`).join(', ')}`,
      `size-adjust: ${(scale * 100).toFixed(1)}%`,
      `ascent-override: ${percent(ascent)}`,
      `descent-override: ${percent(-descent)}`,
      `line-gap-override: ${percent(lineGap)}`,
    ]);
    return { family, rule };
  });
  return {
    // Reverse the order: browsers use the last face that has a letter, and the first subset should win.
    css: [...rules.toReversed(), ...fallbacks.map(({ rule }) => rule)].join(''),
    stack: [familyName, ...fallbacks.map(({ family }) => family)].map(name => `"${name}", `).join('') + stack,
    files: subsets.map(({ file }) => file),
    preloaded: subsets.filter(({ isFirst }) => isFirst).map(({ file }) => file),
  };
}

/** @returns the file with the Latin letters, because `xWidthAvg` is their average. @throws BuildError */
function inLatin<T extends FontFile>({ from }: FontFiles, files: readonly T[]): T {
  const found = files.find(({ name }) => name.includes('-latin-')) ?? files[0];
  if (!found) throw new BuildError([{ text: `brand.ts: ${from} has none of the subsets` }]);
  return found;
}

/** @returns the usual width of a letter that is not narrow, in hundredths of the font's size. */
export async function letterWidth(face: BrandFace): Promise<number> {
  const files = await readFontFiles(face, [face.weights[0], face.weights[0]]);
  const { xWidthAvg, unitsPerEm } = await fromBuffer(inLatin(face, files).bytes);
  return Math.round((126 * xWidthAvg) / unitsPerEm);
}

/** The last code point with a stored width. Scripts above it may join letters, so widths do not add up. */
const LAST_APART = 0x52f;

/** @returns the widths of letters of titles, in hundredths of the font's size. */
export async function letterWidths(face: BrandFace): Promise<Record<string, number>> {
  const weights = [face.weights[0], face.weights[0]] as const;
  const fonts = await Promise.all((await readFontFiles(face, weights)).map(subsetFontFile));
  return Object.fromEntries(
    fonts.map(readOpenType).flatMap(font =>
      font.characterSet
        .filter(code => code <= LAST_APART)
        .map(code => {
          const { advanceWidth } = font.glyphForCodePoint(code);
          return [String.fromCodePoint(code), Math.round((100 * advanceWidth) / font.unitsPerEm)];
        }),
    ),
  );
}

function fontFace(family: string, declarations: readonly string[]): string {
  return `@font-face { font-family: "${family}"; ${declarations.join('; ')}; }\n`;
}

/** Reads the files of a face. A static package has a file for each weight. @param wanted the weights. */
export async function readFontFiles(
  face: FontFiles & Partial<BrandFace>,
  wanted: Weights,
): Promise<FontFile[]> {
  if (face.from.startsWith('.')) {
    const bytes = await readFont(join(brandDir, face.from));
    return [
      {
        name: `${basename(face.from).split('.')[0]}.woff2`,
        bytes,
        weights: wanted,
        range: null,
        isFirst: true,
      },
    ];
  }
  const folder = join(projectRoot, 'node_modules', face.from);
  const ranges: Record<string, string> = JSON.parse(
    (await readFont(join(folder, 'unicode.json'))).toString(),
  );
  const isVariable = face.from.startsWith('@fontsource-variable/');
  const files = (face.subsets ?? ['latin', 'latin-ext'])
    .filter(subset => face.subsets || ranges[subset] !== undefined)
    .flatMap((subset, index) =>
      (isVariable
        ? [wanted]
        : (face.weights ?? wanted.slice(0, 1)).map(weight => [weight, weight] as const)
      ).map(async weights => {
        const name = `${basename(face.from)}-${subset}-${isVariable ? 'wght' : weights[0]}-normal.woff2`;
        const bytes = await readFont(join(folder, 'files', name));
        return { name, bytes, weights, range: ranges[subset] ?? null, isFirst: index === 0 };
      }),
    );
  return Promise.all(files);
}

async function readFont(file: string): Promise<Buffer> {
  return readFile(file).catch((cause: unknown) => {
    throw new BuildError([{ text: `brand.ts names a font that cannot be read: ${cause}` }]);
  });
}

const subsets = new Map<string, Promise<Buffer>>();

/** Removes unused weights and features of a font. Every machine gets equal bytes, for the build id. */
export function subsetFontFile({ bytes, weights }: Pick<FontFile, 'bytes' | 'weights'>): Promise<Buffer> {
  const key = `${hash('sha256', bytes)} ${weights.join(' ')}`;
  return remembered(subsets, key, () => cutFont(bytes, weights, CHARACTERS, 'woff2'));
}

/** Makes the font of a share card. @returns the font, its family name for Pango, and its code points. */
export async function cutCardFont(bytes: Buffer, weight: number) {
  const covered = readOpenType(bytes).characterSet;
  const font = await cutFont(bytes, [weight, weight], String.fromCodePoint(...covered), 'truetype');
  return { font, covered, family: readOpenType(font).familyName };
}

async function cutFont(bytes: Buffer, [min, max]: Weights, characters: string, format: 'woff2' | 'truetype') {
  // Load subset-font on demand, because it contains HarfBuzz as WebAssembly.
  const { default: subsetFont } = await import('subset-font');
  const isVariable = 'wght' in readOpenType(bytes).variationAxes;
  return subsetFont(bytes, characters, {
    targetFormat: format,
    variationAxes: isVariable ? { wght: min === max ? min : { min, max } } : {},
    ...(format === 'woff2' && { keepFeatures: FEATURES }),
    preserveNameIds: LICENCE_NAMES,
  });
}

function readOpenType(bytes: Buffer) {
  const font = create(bytes);
  if (!('characterSet' in font)) throw new BuildError([{ text: 'A collection of fonts is no font' }]);
  return font;
}
