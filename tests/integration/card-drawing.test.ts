import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { Scaler } from '../../server/media/scaling/scaler.ts';
import type { ShareCard } from '../../server/media/scaling/scaling-messages.ts';
import { createLogger } from '../../server/ops/log.ts';

const CARD_DIR = path.resolve(import.meta.dirname, '../../dist/server/cards');
const log = createLogger('silent', { write: () => {} });
const scaler = new Scaler({ log, cardDir: CARD_DIR });
afterAll(() => scaler.stop());

const BARE = { label: null, author: null, site: null, logo: null, drawing: null };
/** JPEG compression changes a background by less than this. Text changes it more. */
const LEAST_INK = 60;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** @returns the box around everything that a card adds to its background, or null for a card without text. */
async function inkOf(
  card: Partial<ShareCard> & { title: string },
  side: 'ltr' | 'rtl' = 'ltr',
  { scaler: own = scaler, dir = CARD_DIR } = {},
): Promise<Box | null> {
  const jpeg = await own.scale({ kind: 'share-card', card: { ...BARE, ...card } });
  const [drawn, background] = await Promise.all(
    [Buffer.from(jpeg), path.join(dir, `card-${side}.png`)].map(input =>
      sharp(input).removeAlpha().greyscale().raw().toBuffer({ resolveWithObject: true }),
    ),
  );
  if (!drawn || !background) throw new Error('A picture is missing');
  const { width, height } = drawn.info;
  expect([width, height]).toEqual([1200, 630]);
  const inked = Array.from(drawn.data.keys()).filter(
    at => Math.abs((drawn.data[at] ?? 0) - (background.data[at] ?? 0)) > LEAST_INK,
  );
  if (inked.length === 0) return null;
  const columns = inked.map(at => at % width);
  const extreme = (pick: (...values: number[]) => number) => columns.reduce((a, b) => pick(a, b));
  return {
    ...{ left: extreme(Math.min), right: extreme(Math.max) },
    ...{ top: Math.floor((inked[0] ?? 0) / width), bottom: Math.floor((inked.at(-1) ?? 0) / width) },
  };
}

/** Pango's names of font weights. */
const WEIGHTS: Readonly<Record<string, string>> = {
  Normal: '400',
  Medium: '500',
  'Semi-Bold': '600',
  Bold: '700',
};

/** Whether a file has the letters of the title face, such as `besley-latin-wght-normal-500.ttf`. */
function isOfTitles(file: string, titleFont: string): boolean {
  const [family = '', weight = ''] = titleFont.split(/,(?:.*, )?/);
  const begin = `${family.toLowerCase().replaceAll(' ', '-')}-latin-`;
  return file.startsWith(begin) && file.endsWith(`-${WEIGHTS[weight]}.ttf`) && !file.includes('-ext-');
}

const widthOf = async (title: string, side: 'ltr' | 'rtl' = 'ltr') => {
  const { left = 0, right = 0 } = (await inkOf({ title }, side)) ?? {};
  return right - left;
};

describe('a card', () => {
  it.each([
    ['Polish', 'Zażółć gęślą jaźń: płatności między Łodzią a São Paulo przychodzą tego samego dnia', 'ltr'],
    [
      'German',
      `Zahlungsverkehrsdienstleistungen für ${'Donaudampfschifffahrtsgesellschaften '.repeat(9)}`,
      'ltr',
    ],
    ['Arabic', 'كيف تصل المدفوعات من الرياض إلى São Paulo في يوم واحد: دليل عملي للشركات الصغيرة', 'rtl'],
    ['overlong', 'a title that nobody has cut '.repeat(20), 'ltr'],
    ['unbreakable', 'W'.repeat(400), 'ltr'],
  ] as const)(
    'a card has its %s title between the margins, aligned to the line start',
    async (_, title, side) => {
      const ink = await inkOf({ title }, side);
      expect(ink?.left).toBeGreaterThanOrEqual(78);
      expect(ink?.right).toBeLessThanOrEqual(1122);
      expect(ink?.top).toBeGreaterThanOrEqual(238);
      // The line with the author follows below.
      expect(ink?.bottom).toBeLessThanOrEqual(510);
      if (side === 'ltr') expect(ink?.left).toBeLessThan(90);
      else expect(ink?.right).toBeGreaterThan(1110);
    },
  );

  it.for([
    ['Short title', 'ltr', 1100, 100],
    ['عنوان قصير', 'rtl', 100, 1100],
  ] as const)('a card has its drawing beside the title: %s', async ([title, side, inside, outside]) => {
    const create = { width: 480, height: 618, channels: 3, background: '#ff0000' } as const;
    const drawing = await sharp({ create }).png().toBuffer();
    const draw = async (shown: string) => {
      const card = { ...BARE, title: shown };
      const { data } = await sharp(await scaler.scale({ kind: 'share-card', card, drawing }))
        .raw()
        .toBuffer({ resolveWithObject: true });
      return (x: number, y: number) =>
        (data[3 * (1200 * y + x)] ?? 0) > 230 && (data[3 * (1200 * y + x) + 1] ?? 0) < 40;
    };
    const isRed = await draw(title);
    expect([isRed(inside, 20), isRed(inside, 600), isRed(outside, 20)]).toEqual([true, true, false]);
    // Three fifths of the card are for texts.
    const columns = Array.from({ length: 1200 }, (_, x) => isRed(x, 20));
    expect(columns.filter(Boolean)).toHaveLength(480);
    expect((await inkOf({ title }, side))?.bottom).toBeGreaterThan(240 + 0.6 * 64);
    // A title that needs the whole card has it.
    expect((await draw(`${title} `.repeat(12)))(inside, 20)).toBe(false);
  });

  it.each([
    'What one payment abroad really costs',
    'How a payment travels from one country to another, and where it waits',
    'Money is not a float',
    'Zahlungsdienstleistungen',
  ])('a title uses the typeface of the brand, at 64 pixels or more: %s', async title => {
    const ink = await inkOf({ title });
    const drawn = ink && { width: ink.right - ink.left, height: ink.bottom - ink.top };
    const { titleFont } = JSON.parse(await readFile(path.join(CARD_DIR, 'card.json'), 'utf8'));
    const [fontfile] = (await readdir(CARD_DIR)).filter(name => isOfTitles(name, titleFont));
    const sizes: number[] = [];
    for (let size = 40; size <= 100; size += 4) {
      const text = `<span line_height="0.8" insert_hyphens="false">${title}</span>`;
      const font = { font: `${titleFont} ${size}`, fontfile: path.join(CARD_DIR, fontfile ?? '') };
      const { info } = await sharp({
        text: { text, ...font, dpi: 72, rgba: true, width: 1_040, wrap: 'word' },
      })
        .trim({ background: '#00000000', threshold: LEAST_INK })
        .toBuffer({ resolveWithObject: true });
      const differs = (a: number, b = 0) => Math.abs(a - b) > 4;
      if (!differs(info.width, drawn?.width) && !differs(info.height, drawn?.height)) sizes.push(size);
    }
    expect(sizes.length, 'no size of the title face has these letters').toBeGreaterThan(0);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(64);
  });

  it('a word wider than the card is shrunk, and not hyphenated', async () => {
    const word = 'Zahlungsdienstleistungsaufsichtsbehörden';
    const ink = await inkOf({ title: word });
    expect(ink?.right).toBeLessThanOrEqual(1122);
    expect((ink?.bottom ?? 0) - (ink?.top ?? 0)).toBeLessThan(60);
  });

  it('a card joins Arabic letters, and shows Latin words beside them', async () => {
    // Joined letters are narrower than separate letters (U+200C separates them).
    const word = 'سسسسس';
    const apart = await widthOf([...word].join('\u200c'), 'rtl');
    expect(await widthOf(word, 'rtl')).toBeLessThan(0.8 * apart);
    const [mixed = 0, arabic = 0, latin = 0] = await Promise.all([
      ...['من Wii', 'من'].map(title => widthOf(title, 'rtl')),
      widthOf('Wii'),
    ]);
    expect(mixed).toBeGreaterThan(arabic + latin);
  });

  it('the other lines of a card are above and below the title, each cut to one line', async () => {
    const long =
      'A line that is longer than the card is wide, whatever it says about anything at all, and more';
    const title = 'Title';
    const [alone, label, site, author] = await Promise.all(
      [{ title }, { title, label: long }, { title, site: long }, { title, author: long }].map(card =>
        inkOf(card),
      ),
    );
    expect(label?.top).toBeLessThan(215);
    expect(site?.top).toBeLessThan(105);
    expect([label?.bottom, site?.bottom]).toEqual([alone?.bottom, alone?.bottom]);
    expect(author?.top).toBe(alone?.top);
    expect(author?.bottom).toBeLessThan(580);
    for (const ink of [label, site, author]) expect(ink?.right).toBeLessThanOrEqual(1122);
  });

  it('a card shows markup as text, and leaves out characters that no font has', async () => {
    expect(await widthOf('<b>A</b> & "B"')).toBeGreaterThan(2 * (await widthOf('A & "B"')));
    expect(await inkOf({ title: 'Up 🚀' })).toEqual(await inkOf({ title: 'Up' }));
  });

  it('a card is refused when no font has the letters of its title', async () => {
    await expect(inkOf({ title: '西班牙' })).rejects.toMatchObject({
      name: 'ImageRefusedError',
      status: 422,
    });
    expect(await inkOf({ title: 'Title', author: '西班牙' })).toEqual(await inkOf({ title: 'Title' }));
  });

  it('a card uses only fonts of the build: without them it shows empty boxes', async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'cards-'));
    await cp(CARD_DIR, dir, { recursive: true });
    const fonts = (await readdir(dir)).filter(name => name.endsWith('.ttf'));
    expect(fonts.length).toBeGreaterThan(4);
    await Promise.all(fonts.map(name => rm(path.join(dir, name))));
    const fontless = new Scaler({ log, cardDir: dir });
    // All boxes have one size.
    const inks = await Promise.all(
      ['Title', 'Wwwww'].map(title => inkOf({ title }, 'ltr', { scaler: fontless, dir })),
    );
    fontless.stop();
    await rm(dir, { recursive: true });
    const [ink, other] = inks;
    expect(ink).not.toBeNull();
    expect(ink).toEqual(other);
  });
});
