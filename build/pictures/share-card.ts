import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { SHARE_PICTURE } from '../../shared/content/image.ts';
import { type OutputFile, projectRoot } from '../output-files.ts';
import { LICENCE_NAMES } from '../styles/fonts.ts';

/** The site's two faces, and fonts for scripts that they lack. Each has one weight. */
const FONTS = [
  { name: 'besley', weight: 500, subsets: ['latin', 'latin-ext'] },
  { name: 'figtree', weight: 500, subsets: ['latin', 'latin-ext'] },
  {
    name: 'noto-sans',
    weight: 500,
    subsets: ['latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'],
  },
  { name: 'noto-sans-arabic', weight: 500, subsets: ['arabic'] },
] as const;
const PACKAGES = 'node_modules/@fontsource-variable';
/** The folder of the cards' files. The server passes it to the scaling process. */
const FOLDER = 'server/cards';

/** The mark is at the beginning of a card's first line, or large in the middle of a picture without text. */
type MarkPlace = 'left' | 'right' | 'middle';
type Range = readonly [first: number, last: number];

/** Makes the files that `server/media/share-card.ts` needs to draw cards. FreeType reads the fonts. */
export async function shareCardFiles(): Promise<OutputFile[]> {
  const ranges: Range[] = [];
  const fonts = await Promise.all(
    FONTS.flatMap(({ name, weight, subsets }) =>
      subsets.map(async subset => {
        const covered = await rangesOf(name, subset);
        ranges.push(...covered);
        const woff2 = await readFile(
          join(projectRoot, PACKAGES, name, 'files', `${name}-${subset}-wght-normal.woff2`),
        );
        return file(`${name}-${subset}.ttf`, await trueType(woff2, weight, covered));
      }),
    ),
  );
  const mark = await readFile(join(projectRoot, 'site/static/favicon.svg'), 'utf8');
  const draw = (place: MarkPlace) => sharp(Buffer.from(background(mark, place)));
  return [
    ...fonts,
    file('coverage.json', JSON.stringify(ranges.toSorted(([a], [b]) => a - b))),
    file('fonts.conf', FONTS_CONF),
    file('card-ltr.png', await draw('left').png().toBuffer()),
    file('card-rtl.png', await draw('right').png().toBuffer()),
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

async function rangesOf(name: string, subset: string): Promise<Range[]> {
  const text = await readFile(join(projectRoot, PACKAGES, name, 'unicode.json'), 'utf8');
  const ranges = (JSON.parse(text) as Record<string, string>)[subset] ?? '';
  return ranges.split(',').map(range => {
    const [first = 0, last = first] = range
      .replace('U+', '')
      .split('-')
      .map(digits => Number.parseInt(digits, 16));
    return [first, last];
  });
}

async function trueType(woff2: Buffer, weight: number, ranges: readonly Range[]): Promise<Buffer> {
  const { default: subsetFont } = await import('subset-font');
  const characters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  );
  return subsetFont(woff2, characters.join(''), {
    targetFormat: 'truetype',
    variationAxes: { wght: weight },
    preserveNameIds: LICENCE_NAMES,
  });
}

/** Draws the background in the colours of inverted bands (`site/brand/tokens.css`). */
function background(mark: string, place: MarkPlace): string {
  const { width, height } = SHARE_PICTURE;
  const [size, x, y] =
    place === 'middle'
      ? [220, (width - 220) / 2, (height - 220) / 2]
      : [64, place === 'left' ? 80 : width - 80 - 64, 72];
  const arcs = [0, 1, 2].map(
    step =>
      `<path d="M${120 + step * 60} ${height + 60}C${460 + step * 60} ${300 - step * 10} ${900 + step * 60} ${300 - step * 10} ${1240 + step * 60} ${height + 60}" fill="none" stroke="#2c4a3e" stroke-width="2"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" fill="#0c2c22"/>
${place === 'middle' ? '' : `<g${place === 'right' ? ` transform="translate(${width} 0) scale(-1 1)"` : ''}>${arcs.join('')}</g>`}
<rect width="${width}" height="12" y="${height - 12}" fill="#8fe0b4"/>
<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="0 0 32 32">${inner(mark)}</svg>
</svg>`;
}

function inner(svg: string): string {
  return svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'));
}
