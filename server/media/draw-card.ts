import { readFileSync } from 'node:fs';
import path from 'node:path';
import type Sharp from 'sharp';
import type { TextWrap } from 'sharp';
import { SHARE_PICTURE } from '../../shared/content/image.ts';
import { cutToFit } from './cut-text.ts';
import { ImageRefusedError } from './image-refused-error.ts';
import type { ShareCard } from './scaling-messages.ts';

/** The space between the text and the left and right edges, in pixels. */
const MARGIN = 80;
const TEXT_WIDTH = SHARE_PICTURE.width - 2 * MARGIN;
/** The space for the title, in pixels. */
const TITLE = { top: 240, height: 270 };
/** The sizes of the title in pixels: the first in which the whole title fits. */
const TITLE_SIZES = [80, 66, 52];
/** The sizes of a title that is cut: the first in which each of its words has room in one line. */
const CUT_SIZES = [52, 42, 34];
/** The height of a line as a share of the font's own, which leaves room for marks above and below capitals. */
const LINE_HEIGHT = 0.8;
/** Characters of a title that are tried. No more fit in the smallest size. */
const MAX_CHARACTERS = 300;
const FALLBACKS = 'Noto Sans,Noto Sans Arabic';
/** Places in pixels: the middle of the line beside the mark, and that of the last line; the top of the line above the title. */
const [SITE_MIDDLE, AUTHOR_MIDDLE, LABEL_TOP] = [104, 552, 182];
/** The mark with the space behind it, in pixels. */
const MARK = 88;

/** Letters that run from right to left: Hebrew, Arabic and their neighbours. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

interface Line {
  text: string;
  /** A description of a font for Pango, without its size. */
  font: string;
  /** In pixels. */
  size: number;
  colour: string;
}

/** A text as pixels. */
interface Drawn {
  data: Buffer;
  width: number;
  height: number;
}

/**
 * Draws cards with Pango, which is a part of sharp's binary: it shapes letters, orders both directions and breaks lines. The only fonts that it
 * finds are those of the folder.
 *
 * @param dir the folder that `build/share-card.ts` has written.
 */
export function createCardDrawer(sharp: typeof Sharp, dir: string): (card: ShareCard) => Promise<Buffer> {
  let covered: readonly (readonly [first: number, last: number])[] | null = null;

  /** @returns a text in one line without the characters that no font has; null where they are letters. */
  function drawable(text: string): string | null {
    covered ??= JSON.parse(readFileSync(path.join(dir, 'coverage.json'), 'utf8')) as [number, number][];
    let kept = '';
    for (const character of text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ')) {
      const code = character.codePointAt(0) ?? 0;
      if (covered.some(([first, last]) => first <= code && code <= last)) kept += character;
      else if (/[\p{L}\p{M}\p{N}]/u.test(character)) return null;
    }
    return kept.replace(/ {2,}/g, ' ').trim();
  }

  function textOf({ text, font, size, colour }: Line, width: number, wrap: TextWrap) {
    return sharp({
      text: {
        // Where a word breaks depends on its language, which is not known.
        text: `<span foreground="${colour}" line_height="${LINE_HEIGHT}" insert_hyphens="false">${escapeMarkup(text)}</span>`,
        font: `${font} ${size}`,
        ...{ dpi: 72, rgba: true, wrap, ...(wrap === 'none' ? {} : { width }) },
      },
    });
  }

  async function fits(line: Line, box: { width: number; height: number }, wrap: TextWrap) {
    const { width, height } = await textOf(line, box.width, wrap).metadata();
    return width <= box.width && height <= box.height;
  }

  async function draw(line: Line, width: number, wrap: TextWrap): Promise<Drawn> {
    const { data, info } = await textOf(line, width, wrap).raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  }

  /** @returns a text in one line, cut where it is wider than the card; null for a text that cannot be drawn. */
  async function drawLine(
    text: string | null,
    style: Omit<Line, 'text'>,
    width: number,
  ): Promise<Drawn | null> {
    const shown = text === null ? null : drawable(text.slice(0, MAX_CHARACTERS));
    if (!shown) return null;
    const box = { width, height: Number.POSITIVE_INFINITY };
    const cut = await cutToFit(shown, part => fits({ ...style, text: part }, box, 'none'));
    return draw({ ...style, text: cut }, width, 'none');
  }

  /**
   * @returns the title in the largest size in which all of it fits, without a break inside of a word; else cut, in a size in which its words fit.
   *   Only a word that is wider than the card in the smallest size breaks.
   */
  async function drawTitle(title: string): Promise<Drawn> {
    const box = { width: TEXT_WIDTH, height: TITLE.height };
    const style = { font: `Besley,${FALLBACKS} Medium`, colour: '#f7f4ea' };
    for (const size of TITLE_SIZES) {
      const line = { ...style, size, text: title };
      if (await fits(line, box, 'word')) return draw(line, TEXT_WIDTH, 'word');
    }
    const size = (await firstWithRoom(style, title)) ?? CUT_SIZES.at(-1) ?? 0;
    const text = await cutToFit(title, part => fits({ ...style, size, text: part }, box, 'word-char'));
    return draw({ ...style, size, text }, TEXT_WIDTH, 'word-char');
  }

  /** @returns the first size in which each word of a title has room in one line; undefined without one. */
  async function firstWithRoom(
    style: Omit<Line, 'text' | 'size'>,
    title: string,
  ): Promise<number | undefined> {
    const lines = { width: TEXT_WIDTH, height: Number.POSITIVE_INFINITY };
    for (const size of CUT_SIZES) if (await fits({ ...style, size, text: title }, lines, 'word')) return size;
    return undefined;
  }

  return async card => {
    const shown = drawable(card.title.slice(0, MAX_CHARACTERS));
    if (!shown) throw new ImageRefusedError(422, 'No font of the cards has the letters of the title.');
    const isRightToLeft = RIGHT_TO_LEFT.test(/\p{L}/u.exec(shown)?.[0] ?? '');
    const small = `Figtree,${FALLBACKS} Medium`;
    const [title, site, label, author] = [
      await drawTitle(shown),
      await drawLine(card.site, { font: small, size: 34, colour: '#f7f4ea' }, TEXT_WIDTH - MARK),
      await drawLine(card.label, { font: small, size: 30, colour: '#8fe0b4' }, TEXT_WIDTH),
      await drawLine(card.author, { font: small, size: 30, colour: '#bccabd' }, TEXT_WIDTH),
    ];
    const at = (text: Drawn | null, top: (height: number) => number, indent = 0) => {
      if (!text) return [];
      const { data: input, width, height } = text;
      const start = MARGIN + indent;
      const left = isRightToLeft ? SHARE_PICTURE.width - start - width : start;
      return [{ input, raw: { width, height, channels: 4 as const }, left, top: Math.round(top(height)) }];
    };
    return sharp(path.join(dir, isRightToLeft ? 'card-rtl.png' : 'card-ltr.png'))
      .composite([
        ...at(site, height => SITE_MIDDLE - height / 2, MARK),
        ...at(label, () => LABEL_TOP),
        ...at(title, () => TITLE.top),
        ...at(author, height => AUTHOR_MIDDLE - height / 2),
      ])
      .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
      .toBuffer();
  };
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
