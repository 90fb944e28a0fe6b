import { readFileSync } from 'node:fs';
import path from 'node:path';
import type Sharp from 'sharp';
import type { TextWrap } from 'sharp';
import { hasNameInIt, SHARE_PICTURE } from '../../../shared/content/image.ts';
import type { CardDesign } from '../../../shared/payload/card-design.ts';
import { type CardPictures, ImageRefusedError, type ShareCard } from './scaling-messages.ts';

/** The left and right margin. All lengths and positions are in pixels. */
const MARGIN = 80;
const TEXT_WIDTH = SHARE_PICTURE.width - 2 * MARGIN;
const TITLE = { top: 240, height: 270 };
/** The title sizes. The first size at which the whole title fits is used. */
const TITLE_SIZES = [80, 72, 64];
/** The sizes of a cut title. The first size at which every word fits on a line is used. */
const CUT_SIZES = [64, 52, 42, 34];
/** The line height as a share of the font's height, with room for accents. */
const LINE_HEIGHT = 0.8;
/** Limit for a text, in characters. Even at the smallest size, a card has room for fewer. */
const MAX_CHARACTERS = 300;
const [SITE_MIDDLE, AUTHOR_MIDDLE, LABEL_TOP] = [104, 552, 182];
/** The largest size of a logo. The mark that a card shows without a logo has the same height. */
export const CARD_LOGO = { width: 640, height: 64 };
const BESIDE_MARK = 24;
/** The size of a drawing. The bar at the bottom stays free, and texts have three fifths of the width. */
export const CARD_DRAWING = { width: SHARE_PICTURE.width * 0.4, height: SHARE_PICTURE.height - 12 };
const BESIDE_DRAWING = TEXT_WIDTH - CARD_DRAWING.width + MARGIN / 2;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

interface Line {
  text: string;
  /** The font for Pango, without the size. */
  font: string;
  size: number;
  colour: string;
}

type Drawn = Awaited<ReturnType<typeof rawOf>>;

/** Draws cards with Pango, a part of sharp's binary, using only the folder's fonts. */
export class CardDrawer {
  readonly #sharp: typeof Sharp;
  readonly #dir: string;
  readonly #design: CardDesign;

  /** @param dir the folder written by `build/brand/share-card.ts`. */
  constructor(sharp: typeof Sharp, dir: string) {
    this.#sharp = sharp;
    this.#dir = dir;
    this.#design = JSON.parse(readFileSync(path.join(dir, 'card.json'), 'utf8')) as CardDesign;
  }

  get surface(): string {
    return this.#design.surface;
  }

  /** @throws ImageRefusedError for a title with letters that no font has. */
  async draw(card: ShareCard, { logo, drawing }: CardPictures): Promise<Buffer> {
    const shown = this.#drawable(card.title.slice(0, MAX_CHARACTERS));
    if (!shown) throw new ImageRefusedError(422, 'No font of the cards has the letters of the title.');
    const isRightToLeft = RIGHT_TO_LEFT.test(/\p{L}/u.exec(shown)?.[0] ?? '');
    const { textFont, ink, inkMuted, accent } = this.#design;
    const style = (size: number, colour: string) => ({ font: textFont, size, colour });
    const mark = logo ? await rawOf(this.#sharp(logo).ensureAlpha()) : null;
    const indent = (mark?.width ?? CARD_LOGO.height) + BESIDE_MARK;
    // Leave the drawing out if the title does not fit beside it. The title then has the full width.
    const beside = drawing ? await this.#drawFitting(shown, BESIDE_DRAWING) : null;
    const width = beside ? BESIDE_DRAWING : TEXT_WIDTH;
    const [title, site, label, author] = [
      beside ?? (await this.#drawTitle(shown)),
      await this.#drawLine(mark && hasNameInIt(mark) ? null : card.site, style(34, ink), width - indent),
      await this.#drawLine(card.label, style(30, accent), width),
      await this.#drawLine(card.author, style(30, inkMuted), width),
    ];
    const edge = isRightToLeft ? 0 : SHARE_PICTURE.width - CARD_DRAWING.width;
    const at = (text: Drawn | null, top: (height: number) => number, indent = 0) => {
      if (!text) return [];
      const { data: input, width, height } = text;
      const start = MARGIN + indent;
      const left = isRightToLeft ? SHARE_PICTURE.width - start - width : start;
      return [{ input, raw: { width, height, channels: 4 as const }, left, top: Math.round(top(height)) }];
    };
    const background = `card-${isRightToLeft ? 'rtl' : 'ltr'}${mark ? '-bare' : ''}.png`;
    return this.#sharp(path.join(this.#dir, background))
      .composite([
        ...(drawing && beside ? [{ input: Buffer.from(drawing), left: edge, top: 0 }] : []),
        ...at(mark, height => SITE_MIDDLE - height / 2),
        ...at(site, height => SITE_MIDDLE - height / 2, indent),
        ...at(label, () => LABEL_TOP),
        ...at(title, () => TITLE.top),
        ...at(author, height => AUTHOR_MIDDLE - height / 2),
      ])
      .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
      .toBuffer();
  }

  /** Removes characters that no font has. @returns null if one of them is a letter. */
  #drawable(text: string): string | null {
    let kept = '';
    for (const character of text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ')) {
      const code = character.codePointAt(0) ?? 0;
      if (this.#design.coverage.some(([first, last]) => first <= code && code <= last)) kept += character;
      else if (/[\p{L}\p{M}\p{N}]/u.test(character)) return null;
    }
    return kept.replace(/ {2,}/g, ' ').trim();
  }

  #textOf({ text, font, size, colour }: Line, width: number, wrap: TextWrap) {
    return this.#sharp({
      text: {
        // Break words without hyphens, because hyphenation depends on the unknown language.
        text: `<span foreground="${colour}" line_height="${LINE_HEIGHT}" insert_hyphens="false">${escapeMarkup(text)}</span>`,
        font: `${font} ${size}`,
        dpi: 72,
        rgba: true,
        wrap,
        ...(wrap === 'none' ? {} : { width }),
      },
    });
  }

  async #fits(line: Line, box: { width: number; height: number }, wrap: TextWrap): Promise<boolean> {
    const { width, height } = await this.#textOf(line, box.width, wrap).metadata();
    return width <= box.width && height <= box.height;
  }

  async #drawText(line: Line, width: number, wrap: TextWrap): Promise<Drawn> {
    return rawOf(this.#textOf(line, width, wrap));
  }

  async #drawLine(text: string | null, style: Omit<Line, 'text'>, width: number): Promise<Drawn | null> {
    const shown = text === null ? null : this.#drawable(text.slice(0, MAX_CHARACTERS));
    if (!shown) return null;
    const box = { width, height: Number.POSITIVE_INFINITY };
    const cut = await cutToFit(shown, part => this.#fits({ ...style, text: part }, box, 'none'));
    return this.#drawText({ ...style, text: cut }, width, 'none');
  }

  /** Draws a title, and cuts one that fits at no size. A word breaks only if it is wider than the card. */
  async #drawTitle(title: string): Promise<Drawn> {
    const fitting = await this.#drawFitting(title, TEXT_WIDTH);
    if (fitting) return fitting;
    const box = { width: TEXT_WIDTH, height: TITLE.height };
    const style = { font: this.#design.titleFont, colour: this.#design.ink };
    const withRoom = await this.#firstWithRoom(style, title);
    const size = withRoom ?? CUT_SIZES.at(-1) ?? 0;
    // Pango gives a word more room than its letters take, and would break a word that just fits.
    const wrap = withRoom === undefined ? 'word-char' : 'word';
    const text = await cutToFit(title, part => this.#fits({ ...style, size, text: part }, box, wrap));
    return this.#drawText({ ...style, size, text }, TEXT_WIDTH, wrap);
  }

  async #drawFitting(title: string, width: number): Promise<Drawn | null> {
    const style = { font: this.#design.titleFont, colour: this.#design.ink };
    for (const size of TITLE_SIZES) {
      const line = { ...style, size, text: title };
      if (await this.#fits(line, { width, height: TITLE.height }, 'word'))
        return this.#drawText(line, width, 'word');
    }
    return null;
  }

  async #firstWithRoom(style: Omit<Line, 'text' | 'size'>, title: string): Promise<number | undefined> {
    const box = { width: TEXT_WIDTH, height: Number.POSITIVE_INFINITY };
    for (const size of CUT_SIZES)
      if (await this.#fits({ ...style, size, text: title }, box, 'word')) return size;
    return undefined;
  }
}

async function rawOf(picture: ReturnType<typeof Sharp>) {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Matches a space or punctuation at the end, which must not stand before an ellipsis. */
const LOOSE_END = /[\s\p{P}]$/u;

/** Cuts a text to whole words and an ellipsis; to whole characters if no word fits. */
export async function cutToFit(text: string, fits: (text: string) => Promise<boolean>): Promise<string> {
  if (await fits(text)) return text;
  for (const granularity of ['word', 'grapheme'] as const) {
    const ends = Array.from(
      new Intl.Segmenter(undefined, { granularity }).segment(text),
      ({ index }) => index,
    );
    const part = (count: number) => withEllipsis(text.slice(0, ends[count]));
    // A text of `most` parts fits, and a text of `least` parts is too long.
    let [most, least] = [0, ends.length];
    while (least - most > 1) {
      const middle = Math.floor((most + least) / 2);
      if (await fits(part(middle))) most = middle;
      else least = middle;
    }
    if (most > 0) return part(most);
  }
  return '…';
}

function withEllipsis(text: string): string {
  let end = text;
  while (LOOSE_END.test(end)) end = end.slice(0, -1);
  return `${end}…`;
}
