import { inflateSync } from 'node:zlib';

/**
 * Reads the text of a PDF printed by Chromium. Chromium compresses each stream separately, and names glyphs
 * by one byte (in a Type3 font of drawn glyphs) or two. One `ToUnicode` table for each font maps them to
 * characters. General PDF readers need far more.
 * @returns the text in the order of drawing, without spaces. A PDF places words and has no spaces between
 *   lines.
 */
export function textOfPdf(pdf: Buffer): string {
  const objects = objectsOf(pdf);
  const fonts = new Map<string, Font>();
  for (const [, name = '', id = ''] of pdf.toString('latin1').matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1];
    if (!table) continue;
    const digits = objects.get(id)?.includes('/Type3') ? 2 : 4;
    fonts.set(name, { digits, characters: charactersOf(streamOf(objects.get(table))) });
  }
  return pagesOf(objects)
    .map(page => textOfPage(page, fonts))
    .join('');
}

/** A4 in points, with the margins of `print.css`. */
const [SHEET, MARGIN] = [841.9, 42.5];

/** @returns for each sheet of A4, the part of its height down to the lowest text. */
export function filledSheets(pdf: Buffer): number[] {
  return pagesOf(objectsOf(pdf)).map(page => {
    const stack = [IDENTITY];
    let lowest = SHEET - MARGIN;
    for (const [, save, restore, numbers = '', operator] of page.matchAll(
      /(?:^|\s)(?:(q)|(Q)|((?:[-.\d]+ ){6})(cm|Tm))(?=\s)/g,
    )) {
      const current = stack.at(-1) ?? IDENTITY;
      if (save) stack.push(current);
      else if (restore) stack.pop();
      else {
        const next = product(numbers.trim().split(' ').map(Number), current);
        if (operator === 'cm') stack[stack.length - 1] = next;
        else lowest = Math.min(lowest, next[5] ?? lowest);
      }
    }
    return (SHEET - MARGIN - lowest) / (SHEET - 2 * MARGIN);
  });
}

type Matrix = readonly number[];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** @returns the matrix that applies the first one and then the second. */
function product(first: Matrix, second: Matrix): Matrix {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = first;
  const [k = 0, l = 0, m = 0, n = 0, o = 0, p = 0] = second;
  return [
    ...[a * k + b * m, a * l + b * n],
    ...[c * k + d * m, c * l + d * n],
    ...[e * k + f * m + o, e * l + f * n + p],
  ];
}

function objectsOf(pdf: Buffer): ReadonlyMap<string, string> {
  const found = pdf.toString('latin1').matchAll(/(\d+) 0 obj\s([\s\S]*?)endobj/g);
  return new Map(Array.from(found, ([, id = '', body = '']) => [id, body]));
}

/** @returns the drawing commands of each page. */
function pagesOf(objects: ReadonlyMap<string, string>): string[] {
  return [...objects.values()].flatMap(body => {
    const id = /\/Contents (\d+) 0 R/.exec(body)?.[1];
    return id ? [streamOf(objects.get(id))] : [];
  });
}

interface Font {
  /** Hexadecimal digits that name a glyph. */
  digits: 2 | 4;
  characters: ReadonlyMap<number, string>;
}

function textOfPage(content: string, fonts: ReadonlyMap<string, Font>): string {
  let font: Font | undefined;
  let text = '';
  for (const [, name, glyphs = ''] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9a-f]+)>/gi)) {
    if (name) font = fonts.get(name);
    for (const glyph of glyphs.match(font?.digits === 2 ? /../g : /.{4}/g) ?? [])
      text += font?.characters.get(Number.parseInt(glyph, 16)) ?? '';
  }
  return text.replace(/\s/g, '');
}

function charactersOf(table: string): Map<number, string> {
  const characters = new Map<number, string>();
  const add = (glyph: number, hex: string, offset = 0) => {
    const units = (hex.match(/.{4}/g) ?? []).map(unit => Number.parseInt(unit, 16));
    const last = units.length - 1;
    characters.set(
      glyph,
      String.fromCharCode(...units.map((unit, index) => (index === last ? unit + offset : unit))),
    );
  };
  for (const [, rows = ''] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = '', hex = ''] of rows.matchAll(/<(\w+)> <(\w+)>/g))
      add(Number.parseInt(glyph, 16), hex);
  for (const [, rows = ''] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from = '', to = '', hex = ''] of rows.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g))
      for (let glyph = Number.parseInt(from, 16); glyph <= Number.parseInt(to, 16); glyph += 1)
        add(glyph, hex, glyph - Number.parseInt(from, 16));
  return characters;
}

function streamOf(object = ''): string {
  // Chromium ends lines by \n alone. A byte \r before it belongs to the data.
  const data = /stream\n([\s\S]*?)\nendstream/.exec(object)?.[1] ?? '';
  const bytes = Buffer.from(data, 'latin1');
  return (object.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
}
