import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Brand, BrandFace, FontFiles } from '../../shared/brand.ts';
import { SHARE_PICTURE } from '../../shared/content/image.ts';
import type { CardDesign } from '../../shared/payload/card-design.ts';
import { brandDir, type OutputFile } from '../output-files.ts';
import { cutCardFont, readFontFiles } from './faces.ts';
import type { Tokens } from './tokens.ts';

const WEIGHT = 500;
/** Pango's names of the weights 100 to 900. */
const STYLES = [
  'Thin',
  'Ultra-Light',
  'Light',
  'Regular',
  'Medium',
  'Semi-Bold',
  'Bold',
  'Ultra-Bold',
  'Heavy',
];
/** The folder of the cards' files. The server passes it to the scaling process. */
const FOLDER = 'server/cards';

/** The place of the mark: at the start of a text's first line, or large in the middle without a text. */
type MarkPlace = 'left' | 'right' | 'middle';

/** Makes the fonts, pictures and settings with which `server/media/scaling/draw-card.ts` draws cards. */
export async function shareCardFiles({ card, faces }: Brand, tokens: Tokens): Promise<OutputFile[]> {
  const { text, display } = faces;
  const [title, small, ...others] = await Promise.all([display, text, ...card.faces].map(cardFonts));
  const fonts = [title, small, ...others].flatMap(files => files ?? []);
  const pangoFont = (own: typeof title) => {
    const families = [own, ...others].flatMap(list => list ?? []).map(({ family }) => family);
    const style = STYLES[Math.round((own?.[0]?.weight ?? WEIGHT) / 100) - 1];
    return `${[...new Set(families)].join(',')}, ${style}`;
  };
  const design: CardDesign = {
    titleFont: pangoFont(title),
    textFont: pangoFont(small),
    ink: tokens.colour(card.ink),
    inkMuted: tokens.colour(card.inkMuted),
    accent: tokens.colour(card.accent),
    surface: tokens.colour('surface'),
    coverage: rangesOf(fonts.flatMap(({ covered }) => covered)),
  };
  const [mark = '', ornament = ''] = await Promise.all(
    ['icon.svg', 'card.svg'].map(name => readFile(join(brandDir, name), 'utf8').catch(() => '')),
  );
  const background = tokens.colour(card.background);
  const draw = (place: MarkPlace, own = mark) =>
    sharp(
      Buffer.from(
        tokens.inDrawing(cardPicture(place, { background, mark: own, ornament, bar: design.accent })),
      ),
    );
  return [
    ...fonts.map(({ name, font }) => file(name, font)),
    file('card.json', JSON.stringify(design)),
    file('fonts.conf', FONTS_CONF),
    file('card-ltr.png', await draw('left').png().toBuffer()),
    file('card-rtl.png', await draw('right').png().toBuffer()),
    file('card-ltr-bare.png', await draw('left', '').png().toBuffer()),
    file('card-rtl-bare.png', await draw('right', '').png().toBuffer()),
    file('default.jpg', await draw('middle').jpeg({ quality: 90 }).toBuffer()),
  ];
}

function file(name: string, contents: Uint8Array | string): OutputFile {
  return { path: `${FOLDER}/${name}`, contents: Buffer.from(contents) };
}

/** Lets Fontconfig use only this folder. The cache has an impossible path, so Fontconfig writes none. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <cachedir>/dev/null/none</cachedir>
</fontconfig>
`;

async function cardFonts({ weights = [WEIGHT], ...face }: FontFiles & Partial<BrandFace>) {
  const nearest = weights.toSorted((a, b) => Math.abs(a - WEIGHT) - Math.abs(b - WEIGHT))[0] ?? WEIGHT;
  const isBetween = Math.min(...weights) <= WEIGHT && WEIGHT <= Math.max(...weights);
  const weight = isBetween && !face.from.startsWith('@fontsource/') ? WEIGHT : nearest;
  const files = await readFontFiles({ ...face, weights: [weight] }, [weight, weight]);
  return Promise.all(
    files.map(async ({ name, bytes }) => ({
      weight,
      name: name.replace('.woff2', `-${weight}.ttf`),
      ...(await cutCardFont(bytes, weight)),
    })),
  );
}

function rangesOf(codes: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (const code of [...codes].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && code <= last[1] + 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges;
}

type CardParts = Readonly<Record<'background' | 'bar' | 'mark' | 'ornament', string>>;

function cardPicture(place: MarkPlace, { background, bar, mark, ornament }: CardParts): string {
  const { width, height } = SHARE_PICTURE;
  const [size, x, y] =
    place === 'middle'
      ? [220, (width - 220) / 2, (height - 220) / 2]
      : [64, place === 'left' ? 80 : width - 80 - 64, 72];
  const mirrored = place === 'right' ? ` transform="translate(${width} 0) scale(-1 1)"` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" fill="${background}"/>
${place === 'middle' ? '' : `<g${mirrored}>${nested(ornament, `width="${width}" height="${height}"`)}</g>`}
<rect width="${width}" height="12" y="${height - 12}" fill="${bar}"/>
${nested(mark, `x="${x}" y="${y}" width="${size}" height="${size}"`)}
</svg>`;
}

function nested(svg: string, place: string): string {
  return svg.slice(Math.max(0, svg.indexOf('<svg'))).replace('<svg', `<svg ${place}`);
}
