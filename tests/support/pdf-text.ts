import { inflateSync } from 'node:zlib';

/**
 * Reads the text of a PDF printed by Chromium. Chromium compresses each stream separately, and names glyphs
 * by one byte (in a Type3 font of drawn glyphs) or two. One `ToUnicode` table for each font maps them to
 * characters. General PDF readers need far more.
 * @returns the text in the order of drawing, without spaces. A PDF places words and has no spaces between
 *   lines.
 */
export function textOfPdf(pdf: Buffer): string {
  const objects = new Map<string, string>();
  for (const [, id = '', body = ''] of pdf.toString('latin1').matchAll(/(\d+) 0 obj\s([\s\S]*?)endobj/g))
    objects.set(id, body);
  const fonts = new Map<string, Font>();
  for (const [, name = '', id = ''] of pdf.toString('latin1').matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1];
    if (!table) continue;
    const digits = objects.get(id)?.includes('/Type3') ? 2 : 4;
    fonts.set(name, { digits, characters: charactersOf(streamOf(objects.get(table))) });
  }
  const pages = [...objects.values()].flatMap(body => /\/Contents (\d+) 0 R/.exec(body)?.[1] ?? []);
  return pages.map(id => textOfPage(streamOf(objects.get(id)), fonts)).join('');
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
  const data = /stream\r?\n([\s\S]*?)\r?\nendstream/.exec(object)?.[1] ?? '';
  const bytes = Buffer.from(data, 'latin1');
  return (object.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
}
