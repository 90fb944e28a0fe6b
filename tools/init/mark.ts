import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { create } from 'fontkitten';

/** The share of the mark's height that a capital letter takes. */
const LETTER = 0.56;
const SIZE = 32;
/** Thickens the letter of a variable font, whose outline is that of its thinnest weight. */
const STROKE = 'stroke="var(--accent-ink)" stroke-width="1.3" stroke-linejoin="round" ';

/**
 * Draws the first letter of the name on the accent. The mark is empty if the Fontsource package `font` lacks
 * it.
 */
export async function drawMark(name: string, font: string): Promise<string> {
  const letter = Array.from(name.trim())[0]?.toLocaleUpperCase() ?? '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}">
  <rect width="${SIZE}" height="${SIZE}" rx="7" fill="var(--accent)"/>${await outlineOf(letter, font)}
</svg>
`;
}

async function outlineOf(letter: string, font: string): Promise<string> {
  const files = path.join(font, 'files');
  if (letter === '' || !existsSync(files)) return '';
  const names = readdirSync(files).filter(file => file.endsWith('-normal.woff2'));
  const rank = (file: string) => (/-(?:wght|700|600)-/.test(file) ? 0 : 1);
  for (const file of names.toSorted((a, b) => rank(a) - rank(b))) {
    const face = create(await readFile(path.join(files, file)));
    const code = letter.codePointAt(0) ?? 0;
    if (face.isCollection || !face.hasGlyphForCodePoint(code)) continue;
    const { path: outline } = face.glyphForCodePoint(code);
    const { minX, minY, maxX, maxY } = outline.bbox;
    const scale = (SIZE * LETTER) / Math.max(maxY - minY, maxX - minX);
    const shape = outline
      .translate(-(minX + maxX) / 2, -(minY + maxY) / 2)
      .scale(scale, -scale)
      .translate(SIZE / 2, SIZE / 2);
    const stroke = 'wght' in face.variationAxes ? STROKE : '';
    return `\n  <path d="${rounded(shape.toSVG())}" ${stroke}fill="var(--accent-ink)"/>`;
  }
  return '';
}

const rounded = (data: string) =>
  data.replace(/-?\d+\.\d+/g, number => String(Number(Number(number).toFixed(2))));
