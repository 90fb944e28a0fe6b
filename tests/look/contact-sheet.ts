import path from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';

const [GAP, LABEL] = [16, 24];
/** About the largest size that image viewers show without scaling it down. */
const SHEET = { width: 1_960, height: 1_960 };
const COLUMN = SHEET.height - 2 * GAP;
const widthOf = (width: number) => (width < 600 ? 225 : width < 1000 ? 306 : 370);

/**
 * Writes contact sheets of the pictures, each below its name, in columns. A picture that is longer than a
 * column continues in the next column.
 */
export async function writeContactSheets(target: string, files: readonly string[]): Promise<void> {
  const sheets: OverlayOptions[][] = [];
  let left = SHEET.width;
  let top = SHEET.height;
  const nextColumn = (width: number) => {
    left += width + GAP;
    top = GAP;
    if (left + width + GAP <= SHEET.width) return;
    sheets.push([]);
    left = GAP;
  };
  for (const file of files) {
    const picture = sharp(file);
    const width = widthOf((await picture.metadata()).width ?? 0);
    const { data, info } = await picture.resize({ width }).png().toBuffer({ resolveWithObject: true });
    if (top + LABEL + Math.min(info.height, COLUMN - LABEL) > SHEET.height - GAP) nextColumn(width);
    sheets.at(-1)?.push({ input: label(file, width), left, top });
    top += LABEL;
    for (let from = 0; from < info.height; ) {
      if (top >= SHEET.height - GAP) nextColumn(width);
      const height = Math.min(info.height - from, SHEET.height - GAP - top);
      const piece = await sharp(data).extract({ left: 0, top: from, width, height }).toBuffer();
      sheets.at(-1)?.push({ input: piece, left, top });
      from += height;
      top += height;
    }
    top += GAP;
  }
  for (const [at, shown] of sheets.entries())
    await sharp({ create: { ...SHEET, channels: 3, background: '#bbbbbb' } })
      .composite(shown)
      .png()
      .toFile(`${target}-${at + 1}.png`);
}

function label(file: string, width: number): Buffer {
  const name = path.parse(file).name.replace(/[^\w-]/g, '');
  return Buffer.from(
    `<svg width="${width}" height="${LABEL}"><text y="16" font-family="sans-serif" font-size="13">${name}</text></svg>`,
  );
}
