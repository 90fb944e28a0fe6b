import { Tokens } from '../../build/brand/tokens.ts';
import { linear } from '../../shared/contrast.ts';

/** A colour by lightness from 0 to 1, chroma and hue in degrees (CSS Color 4, OKLCH). */
interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** Tokens with the hue of the accent: lightness in both schemes, and the share of the accent's chroma. */
const TINTED: Readonly<Record<string, readonly [light: number, dark: number, chroma: number]>> = {
  'accent-hover': [-0.08, 0.87, 0.8],
  'accent-ink': [0.985, 0.2, 0.1],
  'accent-soft': [0.94, 0.27, 0.18],
  band: [0.27, 0.26, 0.4],
  'band-line': [0.39, 0.39, 0.35],
  'band-line-strong': [0.66, 0.66, 0.25],
  'band-muted': [0.82, 0.82, 0.12],
  'band-accent': [0.84, 0.84, 0.7],
  'band-accent-soft': [0.35, 0.35, 0.4],
};
const DARK_ACCENT = 0.8;
const STEP = 0.01;

export interface Palette {
  /** The whole text of `tokens.css`. */
  readonly css: string;
  /** Whether the accent is darker than asked, so that links can be read. */
  readonly isDarkened: boolean;
}

/**
 * Gives a `tokens.css` the colours that follow from one accent. An accent too light for links is darkened
 * until the contrast of every pair suffices.
 *
 * @param accent `#rrggbb`.
 * @throws BuildError if no lightness of this hue suffices.
 */
export function paletteOf(css: string, accent: string): Palette {
  const asked = toOklch(accent);
  for (let lightness = asked.lightness; ; lightness -= STEP) {
    const isDarkened = lightness < asked.lightness;
    const light = isDarkened ? written({ ...asked, lightness }) : accent;
    const tinted = withAccent(css, { ...asked, lightness }, light);
    try {
      new Tokens(tinted).checkContrast();
      return { css: tinted, isDarkened };
    } catch (error) {
      if (lightness < STEP) throw error;
    }
  }
}

function withAccent(css: string, accent: Oklch, light: string): string {
  const tint = (lightness: number, chroma: number) =>
    written({ ...accent, lightness, chroma: accent.chroma * chroma });
  const values: Record<string, string> = {
    accent: `light-dark(${light}, ${tint(DARK_ACCENT, 0.75)})`,
    'band-ink': written({ ...accent, lightness: 0.97, chroma: 0.01 }),
  };
  for (const [token, [inLight, inDark, chroma]] of Object.entries(TINTED)) {
    const lightness = inLight < 0 ? Math.max(0, accent.lightness + inLight) : inLight;
    const [one, other] = [tint(lightness, inLight < 0 ? 1 : chroma), tint(inDark, chroma)];
    values[token] = one === other ? one : `light-dark(${one}, ${other})`;
  }
  return css.replace(/^(\s*--([\w-]+):)[^;]*;/gm, (declaration, head: string, token: string) =>
    Object.hasOwn(values, token) ? `${head} ${values[token]};` : declaration,
  );
}

function written({ lightness, chroma, hue }: Oklch): string {
  const [l, c, h] = [(lightness * 100).toFixed(1), chroma.toFixed(3), hue.toFixed(1)].map(Number);
  return `oklch(${l}% ${c} ${h})`;
}

/** Converts sRGB to OKLCH with the matrices of CSS Color 4, 9.2. */
function toOklch(hex: string): Oklch {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at =>
    linear(Number.parseInt(hex.slice(at, at + 2), 16)),
  );
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    chroma: Math.hypot(a, b),
    hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  };
}
